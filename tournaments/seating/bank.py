"""Known plans for whole evenings, and how the rounds already played may fit one of them.

A plan is written one round a line, one letter a player, tables of 4 first, its most harmless
round first. A field that has played the first rounds of a plan, whatever the names of
its players, goes on with the next ones. The plans reach the fewest second meetings known, with
tables of 3 spread within one. Where a size is missing the search reaches the same at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tournaments.seating.dice import Dice

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MOST_STEPS = 6_000
FITTINGS = 5

type Tables = Sequence[tuple[int, ...]]


def known_plans(
    players: int, history: Sequence[Tables], rounds: int, dice: Dice
) -> Iterator[list[list[int]]]:
    """Plans for so many rounds more that go on from the history, players in slot order.

    ``history`` holds the tables of each round played, players numbered 0 to n - 1. Every
    pass finds another fit by chance; ends when the history fits none.
    """
    for (size, length), plan in PLANS.items():
        if size != players or length < len(history) + rounds:
            continue
        fit = _fit(plan, history, dice)
        if fit:
            names = {point: player for player, point in enumerate(fit)}
            to_come = plan[len(history) : len(history) + rounds]
            yield [[names[LETTERS.index(letter)] for letter in line] for line in to_come]


def _fit(plan: tuple[str, ...], history: Sequence[Tables], dice: Dice) -> list[int]:
    """The point of the plan for each player, or nothing where the history is another."""
    size = len(plan[0])
    if not history:
        return dice.shuffled(list(range(size)))
    played = [_table_numbers(tables) for tables in history]
    if any(len(numbers) != size for numbers in played):
        return []
    lines = plan[: len(history)]
    planned = [_table_numbers(_tables(line)) for line in lines]
    sizes = [[len(table) for table in tables] for tables in history]
    wanted = [[len(table) for table in _tables(line)] for line in lines]
    if any(sorted(one) != sorted(other) for one, other in zip(sizes, wanted, strict=True)):
        return []
    # A search that goes astray early seldom recovers: several short ones find more than a long one.
    for _ in range(FITTINGS):
        fitting = _Fitting(played, planned, sizes, wanted, dice)
        fit = fitting.found()
        if fit or fitting.steps <= MOST_STEPS:
            return fit
    return []


@cache
def _tables(line: str) -> Tables:
    threes = -len(line) % 4
    points = [LETTERS.index(letter) for letter in line]
    full = len(line) - 3 * threes
    starts = [*range(0, full, 4), *range(full, len(line), 3)]
    return [tuple(points[a:b]) for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


def _table_numbers(tables: Tables) -> dict[int, int]:
    return {player: number for number, table in enumerate(tables) for player in table}


class _Fitting:
    """A search with steps back for a renaming that makes played rounds of planned ones."""

    def __init__(
        self,
        played: list[dict[int, int]],
        planned: list[dict[int, int]],
        sizes: list[list[int]],
        wanted: list[list[int]],
        dice: Dice,
    ) -> None:
        self.played, self.planned = played, planned
        self.sizes, self.wanted = sizes, wanted
        self.points = dice.shuffled(list(range(len(played[0]))))
        self.point = [-1] * len(self.points)
        self.taken: set[int] = set()
        self.table_of: list[dict[int, int]] = [{} for _ in played]
        self.steps = 0
        self.order = self._linked_order()

    def found(self) -> list[int]:
        """The point of each player, or nothing."""
        return self.point if self._place(0) else []

    def _linked_order(self) -> list[int]:
        """Players so that each shares as many tables as possible with those before."""
        waiting = set(range(len(self.point)))
        links = [0] * len(self.point)
        order: list[int] = []
        while waiting:
            player = max(waiting, key=lambda p: (links[p], -p))
            waiting.remove(player)
            order.append(player)
            for numbers in self.played:
                for mate in waiting:
                    links[mate] += numbers[mate] == numbers[player]
        return order

    def _place(self, depth: int) -> bool:
        if depth == len(self.order):
            return True
        player = self.order[depth]
        for point in self.points:
            self.steps += 1
            if self.steps > MOST_STEPS:
                return False
            new = None if point in self.taken else self._new_tables(player, point)
            if new is None:
                continue
            self._take(player, point, new)
            if self._place(depth + 1):
                return True
            self._give_back(player, point, new)
        return False

    def _new_tables(self, player: int, point: int) -> list[int] | None:
        """The rounds whose table gets its counterpart now; None where they contradict."""
        new = []
        for number, (played, planned) in enumerate(zip(self.played, self.planned, strict=True)):
            table, counterpart = played[player], planned[point]
            known = self.table_of[number].get(table)
            if known is None:
                if counterpart in self.table_of[number].values():
                    return None
                if self.sizes[number][table] != self.wanted[number][counterpart]:
                    return None
                new.append(number)
            elif known != counterpart:
                return None
        return new

    def _take(self, player: int, point: int, new: list[int]) -> None:
        self.point[player] = point
        self.taken.add(point)
        for number in new:
            self.table_of[number][self.played[number][player]] = self.planned[number][point]

    def _give_back(self, player: int, point: int, new: list[int]) -> None:
        self.point[player] = -1
        self.taken.remove(point)
        for number in new:
            del self.table_of[number][self.played[number][player]]


PLANS: dict[tuple[int, int], tuple[str, ...]] = {
    (13, 3): (
        "EFGJABHCIMDKL",
        "HKLMACGBEFDIJ",
        "BCDIAJLEHMFGK",
    ),
    (13, 4): (
        "GIJLAEMBFHCDK",
        "BCGMADLEHJFIK",
        "AHKLBIMCFJDEG",
        "BDEFAGHCILJKM",
    ),
    (13, 5): (
        "BFKMACLDEJGHI",
        "DILMABGCEKFHJ",
        "BEHLAFICJMDGK",
        "CEFGAHMBDIJKL",
        "AIJKBCHDFLEGM",
    ),
    (13, 6): (
        "GJKLAEIBCFDHM",
        "FGHIADLBEKCJM",
        "ACHKBEGDFJILM",
        "BCDIAFLEHJGKM",
        "DEFMACGBHLIJK",
        "ABJMCELDGHFIK",
    ),
    (13, 7): (
        "ACIJBDEFHMGKL",
        "CEFGALMBHIDJK",
        "DFILABGCHKEJM",
        "BCJLAFKDGHEIM",
        "BGKMAEICDFHJL",
        "ADHMBFJCIKEGL",
        "EFHKADLBCMGIJ",
    ),
    (13, 10): (
        "DFGHAEIBJLCKM",
        "AFKLBDECHIGJM",
        "FIJKABCDHMEGL",
        "CEHJAFGBKMDIL",
        "BDIJAHKCGLEFM",
        "AILMBCFDGKEHJ",
        "ACDEBGIFJMHKL",
        "BHLMAGJCDFEIK",
        "BEGKADMCJLFHI",
        "CGIMABHDJKEFL",
    ),
    (14, 3): (
        "CEIMFJKNAHLBDG",
        "DHIKGJLMAENBCF",
        "ABDLCGHNEIJFKM",
    ),
    (14, 4): (
        "ABGJFHIMCKNDEL",
        "CDIJFGKLAHNBEM",
        "ADKMEGINBCFHJL",
        "ACEHBLMNDFGIJK",
    ),
    (14, 5): (
        "BDGNEFLMACKHIJ",
        "AEHNBCIMDFJGKL",
        "CEGJFIKNADMBHL",
        "AFGHCDILBEKJMN",
        "ABJLDHKMCFNEGI",
    ),
    (14, 6): (
        "AJKMBEGHCDFILN",
        "ADGNCEIKBLMFHJ",
        "AEFLCHMNBIJDGK",
        "DEJNFGIMABCHKL",
        "BDFMCGJLAHIEKN",
        "BFKNDHILACJEGM",
    ),
    (14, 7): (
        "AFGJBIMNCEHDKL",
        "CJKMDEFIABLGHN",
        "BDHKFJLNACIEGM",
        "BEGJHILMAFKCDN",
        "AEKNCFHLBGMDIJ",
        "ADHMCGIKBFNEJL",
        "ABCEDGLNFKMHIJ",
    ),
    (14, 10): (
        "ACEJFIKLBGMDHN",
        "ADFGJLMNBEICHK",
        "ABKMEGHLCFNDIJ",
        "AEFMBCDLGINHJK",
        "ADHICGKNBFJELM",
        "BFHKDEGJALNCIM",
        "ABINCHJMDEKFGL",
        "BEHNIJKLACGDFM",
        "CEFIDKMNAHLBGJ",
        "BCDLGHIMAEKFJN",
    ),
    (15, 10): (
        "ACGHDEMOFIKLBJN",
        "AEKNBDHIGJLMCFO",
        "ABLOCEIJFHMNDGK",
        "ADFJBCKMGINOEHL",
        "BEFGCDLNHJKOAIM",
        "BHJMCEFLGIKOADN",
        "ABLOCIJNDEHKFGM",
        "AFJKBEGNCDMOHIL",
        "AEIMDGJLFHNOBCK",
        "ACGHBDFIKLMNEJO",
    ),
    (16, 10): (
        "ACGHBJNPDEMOFIKL",
        "AEKNBDHICFOPGJLM",
        "ABLOCEIJDGKPFHMN",
        "ADFJBCKMEHLPGINO",
        "AIMPBEFGCDLNHJKO",
        "ACDIBFHPEKLNGJMO",
        "AEFJBDLMCGNPHIKO",
        "AGHLBCJKDEOPFIMN",
        "AKMPBEGICFLODHJN",
        "ABNOCEHMDFGKIJLP",
    ),
    (17, 5): (
        "AMNQEIOPBJKCGLDFH",
        "DGIKFJLNACEBMPHOQ",
        "BEGHCFMOADJILQKNP",
        "AHKLCJPQBFIDEMGNO",
        "BDLOEFKQAGPCINHJM",
    ),
    (17, 6): (
        "CEJQFGHMANOBDPIKL",
        "EHIOFKNPACGBLQDJM",
        "AELPBGJKCFIDHNMOQ",
        "ABHICLMNDEKFJOGPQ",
        "DGLOIJNQAKMBEFCHP",
        "ADFQBCKOEGNHJLIMP",
    ),
    (17, 7): (
        "AKOPEHIJBNQCGMDFL",
        "ABCFEGPQDHKIMOJLN",
        "AHLMDENOBGKCJPFIQ",
        "BILPCDHQAGNEKMFJO",
        "FMNPJKLQACEBHODGI",
        "BDJMCGLOAIQEFKHNP",
        "CIKNFGHJADPBELMOQ",
    ),
    (17, 10): (
        "BCGMDEIJALPFNOHKQ",
        "HJNPILOQAEMBGKCDF",
        "CEKPFIMNADOBJQGHL",
        "AFJKBDLPCHIENQGMO",
        "ACMQBEHODGJFIPKLN",
        "EFLMGHNQABICJODKP",
        "AGINDEKOBFHCLQJMP",
        "BDFQHIKMAOPCENGJL",
        "ADHLBJNOCIKEFGMPQ",
        "CGOPFJKQAEHBILDMN",
    ),
    (18, 6): (
        "AJKPCDQREGIOBFLHMN",
        "ADGNBHIKEFMRCOPJLQ",
        "BJNOCGLMFIPQAHRDEK",
        "AEOQCFKNDHLPBGRIJM",
        "ABMPCEHJILNRDFOGKQ",
        "BDMQFGHJKLORACIENP",
    ),
    (18, 7): (
        "ABCLFOPQGHMRDINEJK",
        "AHKNBDJQEGIOCMPFLR",
        "CHIQDKLMENPRAJOBFG",
        "ADGPCKORFIJMBEHLNQ",
        "BMNOCDEFHJLPAIRGKQ",
        "AEMQBIKPGJLRCFNDHO",
        "AFHKCGJNEILOBMPDQR",
    ),
    (18, 10): (
        "BIKLCFOPDJMNAGHEQR",
        "ADKREHLOGNPQBFMCIJ",
        "ACENFHKQJLPRBDGIMO",
        "AIJQBDEFCHMRGLOKNP",
        "AFGNBHJPCDOQEIRKLM",
        "ABMOCGJKEHINDLPFQR",
        "AEKPBCLQGIMRDHNFJO",
        "BNORCEGLDFIKAJMHPQ",
        "DIOPFLNRGKMQACHBEJ",
        "ADLQEFMPGHJRBCIKNO",
    ),
    (19, 5): (
        "AIMQBKLRCDGJFHNOEPS",
        "ALNPBCMODEHIFGKSJQR",
        "AGHRBEFJCNQSDKMPILO",
        "AJOSBGIPDFLQEMNRCHK",
        "CFPREGOQHLMSIJKNABD",
    ),
    (19, 7): (
        "ADOPBGHKCERSFLMNIJQ",
        "AJLRCHMODEFIGNPQBKS",
        "AFGSBEMQCJKNIOPRDHL",
        "ACDQBFJOEKLPHINSGMR",
        "AIKMBDNREGHJLOQSCFP",
        "ABHPCGILDJMSFKQRENO",
        "BCILDGKOFHQRJMPSAEN",
    ),
    (19, 10): (
        "BMPSCDIRFJKQGHLNAEO",
        "AHQRBFMODEGJIKLSCNP",
        "ABIJCDFLEHKPGORSMNQ",
        "AFGNBCEQDHOSJKMRILP",
        "ACJOBKNRDPQSEFLMGHI",
        "AEKSCFPRDHJMINOQBGL",
        "ALQRBCHKDEINGMOPFJS",
        "ABDPCGKQFHIOJLNSEMR",
        "ACIMBGRSEFHNJLPQDKO",
        "AKMNBDFQELORGIJPCHS",
    ),
    (20, 7): (
        "AFKPBEIRCDNTGLMQHJOS",
        "AJMNBDFQCGHIEKSTLOPR",
        "ADIOBGJTCMPSEFHLKNQR",
        "ACEQBHNPDGRSFMOTIJKL",
        "ABLSCFJRDHKMEGNOIPQT",
        "AHRTBCKODELMFINSGJPQ",
        "AFGKBIMRCLNTDEJPHOQS",
    ),
    (20, 10): (
        "AEHSBCLTDFNQGIPRJKMO",
        "AKOPBDRSCFIJEMNTGHLQ",
        "AGLNBFHPCDKMEJQRIOST",
        "AFMRBIOQCPSTDGHJEKLN",
        "AHQTBCEJDLOPFGKSIMNR",
        "ALRSBDGMCEFOHIKTJNPQ",
        "ADJTBEILCMQSFGNOHKPR",
        "ACGIBFKTDEORHJNSLMPQ",
        "ADIQBHMOCKNREGPTFJLS",
        "ABNPCDHLEFIMGKQSJORT",
    ),
    (21, 5): (
        "AHKRBDNQCFPSEILGJTMOU",
        "DIKMEJNOHLSUAPQBCTFGR",
        "AGIUFJMQNPRTBHOCKLDES",
        "BIJPCEGHDLOTAMSFKNQRU",
        "AEFTBLMRKOQSCJUDGPHIN",
    ),
    (21, 7): (
        "ABDSFIJLKOPRCHQEMUGNT",
        "BCETGJKMLPQSAHUDIRFNO",
        "AKLNCDFUMQRTBIOEJSGHP",
        "BHLMDEGONRSUAIQCJPFKT",
        "AEFPCIMNHOSTBJRDKQGLU",
        "BFGQDHJNIPTUAMOCKSELR",
        "ACGREHIKJOQUBNPDLTFMS",
    ),
    (21, 10): (
        "ADJMBGIOELPSCHRFQUKNT",
        "CLMNDFIREGHQAKUBJSOPT",
        "DHLTFKMPINSUAOQBGRCEJ",
        "ABNPCRTUDGJOEIMFHSKLQ",
        "CGKSEMOUFIPTALRBDQHJN",
        "AEIKBHLUJQSTCDPFNOGMR",
        "ACFUBHKOJPQRDENGMTILS",
        "AORSBCETHMNQDPUFGLIJK",
        "AGNTBFJLDKMSCIQERUHOP",
        "CLOQDKNRGJPUAHIBMTEFS",
    ),
    (22, 6): (
        "BPTVDLNOEGIMFKRSACJHQU",
        "ADQVBCESGNPUHIJKFOTLMR",
        "AFLPCDKMEQRTJOUVBINGHS",
        "AGKTCHORFMNQILSVBDUEJP",
        "AIRUBGJQDEFHMOPSCLTKNV",
        "ABHMCFGVEKLUJNSTDPRIOQ",
    ),
    (22, 7): (
        "ALQVBFJPCEIKHRTUDGNMOS",
        "ABDMCJSUGKOTNPQREFLHIV",
        "BIORDKSVEGPUJLMNAFTCHQ",
        "ACOPDEJTFHNSIMQUBGVKLR",
        "AERSCFGMDHLPINTVBKUJOQ",
        "AHJKBENQFOUVGILSCDRMPT",
        "BCLTDFKQEHMOGJRVANUIPS",
    ),
    (22, 10): (
        "ABGOEKMQFJLTINSVCDRHPU",
        "AJNRBDHSCEIUGKLVFMOPQT",
        "AKMSBLNQDFPUIORTCGJEHV",
        "DKNTEJLOFHRSGIMPACQBUV",
        "AFINCKOPDJQVGHTUBMRELS",
        "ADEPCMTVFHJKNOSUBIQGLR",
        "BJPRCHMNDILVEFGQASTKOU",
        "AHLPBCETGIJSKQRUDMNFOV",
        "AJMUBCFLDHOQPRSVEGNIKT",
        "AERVBDGKCOQSLMTUFNPHIJ",
    ),
    (23, 7): (
        "ABDSCHQWEMUVFIJLKOPRGNT",
        "BCETDIRWFNOVGJKMLPQSAHU",
        "AKLNCDFUEJSWGHPVMQRTBIO",
        "AIQVBHLMDEGOFKTWNRSUCJP",
        "AEFPBJRVCIMNGLUWHOSTDKQ",
        "AMOWBFGQCKSVDHJNIPTUELR",
        "ACGRBNPWDLTVEHIKJOQUFMS",
    ),
    (23, 10): (
        "AERSBDJLCGOUFIVWHMPTKNQ",
        "ADGTCLMWEPQRHIKSJNUVBFO",
        "AFMNBCQVDKOWHRTUIJPSEGL",
        "ACKPBGHIDLNREFJUMOSVQTW",
        "AJOQBCITEHNWFGPVKLMUDRS",
        "BEMNCFKRDJTVGQSWHLOPAIU",
        "ABRWDEPUFLSTGKMQINOVCHJ",
        "APUWBJKLCGNSDFHQEIOTMRV",
        "AHLVBQSUCEFWGJORKNPTDIM",
        "AEKVCDHNFOTUILQRJMSWBGP",
    ),
    (24, 7): (
        "ABDSCHQXEMUWFIJLGNTVKOPR",
        "AHUVBCETDIRXFNOWGJKMLPQS",
        "AKLNBIOVCDFUEJSXGHPWMQRT",
        "AIQWBHLMCJPVDEGOFKTXNRSU",
        "AEFPBJRWCIMNDKQVGLUXHOST",
        "AMOXBFGQCKSWDHJNELRVIPTU",
        "ACGRBNPXDLTWEHIKFMSVJOQU",
    ),
    (24, 10): (
        "ALRXBFOUCIPVDEKWGQSTHJMN",
        "AEPQBGRWCDNSFJLVHKTUIMOX",
        "AGSVBKQXCJRUDFMPELNOHITW",
        "ABNWCGKLDIMUEFTXHJPSOQRV",
        "ACDTBHLOEGIJFNVWKMPRQSUX",
        "AHKUBDVXCLMWEFRSGOPTIJNQ",
        "AFGIBCMSDEHRJKOXLNQTPUVW",
        "AORSBILPCFHXDJQWEGMUKNTV",
        "ADLUBJRTCEOWFIKSGNPXHMQV",
        "AJMTBEKVCFPQDGHOINRULSWX",
    ),
    (25, 5): (
        "AGNSCKVXEMRYQTUWBIJDHLFOP",
        "ALVWDOQREFJKHIPYBCSGMTNUX",
        "BEGXCHMOFINTJPUVAKRDSWLQY",
        "ACDTBFMQGJLOIRSXEPWHKUNVY",
        "BKTYDMNPFLSUGHRWAOXCJQEIV",
    ),
    (25, 6): (
        "FPRYGOSTHJKUIQVXABCDENLMW",
        "AKNSBQRTCGVWEHLXDIPFMUJOY",
        "AGJMCEQUDHWYFILOBSVKPTNRX",
        "AOPXBFNWDRUVIMSYCKLEJTGHQ",
        "BDJLEGIKMNPVTUXYAFHCRSOQW",
        "CHNTDFKQEMORJPSWAIUBGXLVY",
    ),
    (25, 7): (
        "BCHPDJMWESUVGKOYATXFIRLNQ",
        "AFKPCDQRGLUXNSTWBJOEIMHVY",
        "BFMXDEHNIQTYJKLSACVGRWOPU",
        "BEGQCIOSHRTUJNPVAMYDKXFLW",
        "AOQWCFUYHIJXKMNRBLVDGSEPT",
        "AGINDFTVHLMOPRSXBWYCEKJQU",
        "ABDUCGJTELRYIKVWFHSMPQNOX",
    ),
    (25, 10): (
        "DJMREGNUFHSXLPQTAOWBCKIVY",
        "AESVBQRWHKOYIJTXCMNDLUFGP",
        "ABGIDKPWELMXFOTUCQYHRVJNS",
        "AKMSCHPUDGOVNRXYBJLETWFIQ",
        "BOPXCNVWEHJQGMTYADFIRSKLU",
        "ANRUCEIODKQXFJWYBSTGHLMPV",
        "BDEYCFLRGQSUIKNPAHWJMOTVX",
        "BFHMCDSTGILWJKUVAXYEPRNOQ",
        "ACJPBFNVGKRTLOSYDHIEMQUWX",
        "ALQVBIMUDHNTPSWYCGXEFKJOR",
    ),
    (26, 5): (
        "AIKTBCHRELSWJPQXOUVYDFGMNZ",
        "ANPRBDMWCEKOFJVZGILXHSYQTU",
        "CIMQDLPYFRUWGKSVHOTZABJENX",
        "AGQWBTVXCDSZEJMYFHLNIORKPU",
        "BEGUDHKQFMOPIJNSRXYZALVCTW",
    ),
    (26, 6): (
        "ABLQCMPREJKNGTUWHIOVDSZFXY",
        "BCJVDINUERWXFGPSQTYZAKOHLM",
        "AIRZCEOYDJMXFHKTLNPWBSUGQV",
        "AEFVBOXZDHQWJPUYKLRSCITGMN",
        "ANTXBIKPCDGLEHUZMSVYFQRJOW",
        "AGHJBDRYCKUXFIMWNOQSELTPVZ",
    ),
    (26, 7): (
        "AKLNBMPQCIOXDGVZEJSYFTWHRU",
        "AFVYBEHWGKOUNPSTQRXZCJLDIM",
        "CKPRDNOWETUXFHIQGLMYASZBJV",
        "AGITBCDUEFLRJMOZKQSWHNYPVX",
        "AMWXBKYZFJNUHLOPIRSVCEGDQT",
        "ADHJBGNXCFMSLQUVORTYEIKPWZ",
        "CHTZDFKXEMNVGJRWIPUYAOQBLS",
    ),
    (26, 10): (
        "EPUXFGRSHMVYINTWLOQZABKCDJ",
        "ADHSBCIXENQVGKMPJORYFWZLTU",
        "ACELBFHODMQTGJVWIKUZNRXPSY",
        "AMRUBGQYCNOPDEFKJSTXHWZILV",
        "AOWXBEJTCMSZGHIPKLNYDRVFQU",
        "AIRTBLPWDOSVFJMNHKQXCGUEYZ",
        "AJPZCKTVDGLXFIOYHNSUBQREMW",
        "BLMSCEHRDUWYFVXZIJKQAGNOPT",
        "APQVBDNZCFTYEGOUKRSWHJLIMX",
        "ANXYBJUVCDQWFLPRGHTZEISKMO",
    ),
    (27, 9): (
        "AKLVBGOXCDFRENSUHWZaJMQYIPT",
        "BLMWCHPYDEGJFOTVISXaKNRZAQU",
        "ASTYCMNXDIQZEFHKGPUWJLOaBRV",
        "AERaBTUZDNOYFGILHQVXKMPSCJW",
        "AGHMBFJSCUVaEOPZIRWYLNQTDKX",
        "AJXZBHINCGKTDSVWFPQaMORUELY",
        "ACIOBKYaDHLUETWXGQRSJNPVFMZ",
        "ABDPCLSZEIMVFUXYHJRTKOQWGNa",
        "AFNWBCEQDMTaGVYZIJKULPRXHOS",
    ),
    (27, 10): (
        "AMNWBJQXCOTYDKSZELRaFHPVGIU",
        "AFKaBGNYDLOVEJMUHSTWIQRZCPX",
        "AHQUBMRVDJPYEIOSFGLTWXZaCKN",
        "AEVXBPSaCFUZDMNTGKQRILWYHJO",
        "ABOZCHLRFSUYGJVXIKMPNQTaDEW",
        "ARTXBCGWDHIaEKYZFJMOLNPUQSV",
        "ACIJBDRUEFHNGKOaLMSXQVWYPTZ",
        "ADGSCEMQHKXYINVZJTUaOPRWBFL",
        "BEITCSVaDFPQGHMZJKLWNOUXARY",
        "AEGPBCDHFIWXJNRSKTUVLOQZMYa",
    ),
    (28, 9): (
        "AKLVBGOXCDFRENSUHWZaIPTbJMQY",
        "AQUbBLMWCHPYDEGJFOTVISXaKNRZ",
        "ASTYBRVbCMNXDIQZEFHKGPUWJLOa",
        "AERaBTUZCJWbDNOYFGILHQVXKMPS",
        "AGHMBFJSCUVaDKXbEOPZIRWYLNQT",
        "AJXZBHINCGKTDSVWELYbFPQaMORU",
        "ACIOBKYaDHLUETWXFMZbGQRSJNPV",
        "ABDPCLSZEIMVFUXYGNabHJRTKOQW",
        "AFNWBCEQDMTaGVYZHOSbIJKULPRX",
    ),
    (28, 10): (
        "AKLWBSYZCGUbDOPTEFQaHIMVJNRX",
        "ADZaBKVXCFMRELPbGIOYHNQWJSTU",
        "ANVbBGPTCKSaDHRUEIWXFJLYMOQZ",
        "AHMTBJWbCLQVDKNYEFGZIPRSOUXa",
        "ABCIDQSXEJKTFOVWGMNPHLUZRYab",
        "AEORBNQUCTWYDFILGHJaKMSbPVXZ",
        "AFSXBDHbCJOPEUVYGKQRINTZLMWa",
        "ADGWBEMUCXZbFHKPIJQYLNOSRTVa",
        "APQYBFNaCEHSDJMVGLTXIKObRUWZ",
        "AJKZBLORCDENFQTbGSVWHMXYIPUa",
    ),
    (29, 6): (
        "AFHXBDLSIKNPJMWaRVYcCGUEOQTZb",
        "COPXDQYaEGHTFKSWLRUZABMIJcNVb",
        "AESUBJPQHIYbNWZcOTVaCFLDRXGKM",
        "CSTcDEIMFQRbGVWXJKLOANYBUaHPZ",
        "AKabBCEZDGPcFJUVHLMNIRSOWYQTX",
        "AILTBGObCJNRHQUWMXYZDKVEFcPSa",
    ),
    (29, 7): (
        "AINPBEGYDJUZLQTVOWbcCHKFMXRSa",
        "CPTXDMOYEIRcFGHaKNSUABVJQWLZb",
        "AGQZBHJbCLacDFPSMRUVENXIKOTWY",
        "BMNWCGSVEHLOFKRZIJXYADTPabQUc",
        "AFLWBKTaDNVbOQRXPYZcCEJGIUHMS",
        "AEKMBLSXCRYbDIQaHPUWFJNGTcOVZ",
        "AJScCIMZEVWaFOTUGKXbBPQDHRLNY",
    ),
    (29, 10): (
        "AHKTBEQZFYacGOWbIRVXCDLJMUNPS",
        "ADXcBCJKETVWFLNUIMSbGQYHPZORa",
        "CEPaHLQcIJNTKRSYMOXZAGUBDWFVb",
        "ANQbBFMRCGTZIOPcKLWXDUaEHSJVY",
        "APWYCFQSDORTGHMVIKUZBLaENXJbc",
        "ALSVBTUYCNWcDFHIJQXaEGOKMPRZb",
        "AEMaBGScDNYZHJRWPQUVCIXFKOLTb",
        "AFJZBNOVCHUaDEKbGLPRIQWMTcSXY",
        "BHXbDMPQEILYGKNaJOSUACRFTWVZc",
        "COYbDGJLERUcFPTXSWZaABIHMNKQV",
    ),
    (30, 5): (
        "ANQSCPXdFMabIORVJYZcKLTWBGUDEH",
        "BDWYEFLSGIQXHMNZJRTUObcdACaKPV",
        "AEUXBISaCDKMFNVYGHLcOPTZJQdRWb",
        "AHVdBMPQCEIJDNTbGKRaSUWcFXZLOY",
        "AGPWBFKOCLQRDJVXEZadHUYbINcMST",
    ),
    (30, 6): (
        "ADUWBHKcCOPQGTbdIJVaMXYZEFSLNR",
        "ACFTBJNQDKLZEGOYPUabRSXdHIWMVc",
        "AYacBFVZDMNdEITUHJORLPSWCKbGQX",
        "ABGRCIScDFQbELMaKWYdNOVXHUZJPT",
        "CMRUDHPXEKQVFGNaJWZbLOTcAIdBSY",
        "AJKSBEXbCGLVFUcdHMQTINPZDRYOWa",
    ),
    (30, 7): (
        "AFQRCLPUDENTGHIWKMOYSVXbBJZacd",
        "BNVdDFHZEMPbGLTcJORaKQUXAISCWY",
        "AOUdBCDKELVWGJMXHSTaIQZcFNbPRY",
        "AGNaBEIYCRTXFJLSHOPcKWZbDUVMQd",
        "BHLbDJWdFIOXMRVcNPQSUYZaAKTCEG",
        "AEHJBMSWCQabFTVYGKPdINRUDXcLOZ",
        "ALXYBFUcCMNZDGOQERSdIJTbHKVPWa",
    ),
    (30, 10): (
        "AFMNBDWZCPTbGLUXHJVYIOScEKaQRd",
        "AIKTBCFLEQbcJSUdMPWaORYZDGVHNX",
        "ACEOBGJNDFYbHIMRPVXdUZacKSWLQT",
        "CJRXDMQSETWYFIVZHKLdNOPUABcGab",
        "BOQXCHSaDJTcELPZFGWdKRVbAMUINY",
        "ABRaCYcdGKXZHQUWLNSbMOTVDIPEFJ",
        "ALVWBHMbCGIQDERUJKOaNTZdFXcPSY",
        "AJQYBESVCDKNFTUaGHPcIWXbLORMZd",
        "AGSZDObdEMXYFKPQIJLaNRWcBHTCUV",
        "ADHXBKUYEGIdFRSTLMPcNQVaCOWJZb",
    ),
    (31, 7): (
        "AOUbBHRTCJQXDEKYGNZaIVWeLPSdFMc",
        "AHPZBMUeCKRaDFIbEQWdGSXcJOTVLNY",
        "ACSTBIXdEGHOFUWYJabeKLQcMNPRDVZ",
        "AFGQBVYbCHILDMSaERUXJZcdKNOePTW",
        "ABKWCEZeDHNXFRSVGJLUIPYcMQTbOad",
        "ALXaBEFJCMYdDORcGKPVINTUSWZbHQe",
        "AENcBCDPFLTeGRbdHJMWOXYZQUVaIKS",
    ),
    (31, 10): (
        "ADReBGOYCHKLEPbdFNTXJSWZMUVaIQc",
        "ABCbDFJQEIUZHPRSKNaeLMOcVWXYGTd",
        "AEKMBSTUCPQYDLNWFGZcHJXeIOadRVb",
        "AFYdCDOXEGSeHINVKPUcLQZbMRTWBJa",
        "ALSaBGMXCEVcFPWeIJYbKOQTNRZdDHU",
        "AJTcBEFHCIMSDGWaKXZbLRUYQVdeNOP",
        "AGQUBLPVDMNbEJORFIKWHTYaSXcdCZe",
        "BDKdCJNUFOSVGHbcILTeMPYZQRXaAEW",
        "AIPXBQWcCFRaDTVZEGLNHJMdOUbeKSY",
        "AHOZBIReCUWdDEYcGJKVMNQSPTabFLX",
    ),
    (32, 9): (
        "ALVaBKUbCJXYDIWZEPReFOQfGNTcHMSd",
        "AORdBPQcCMTfDNSeEKVZFLUYGIXbHJWa",
        "AJScBITdCLQeDKRfENWYFMXZGPUaHOVb",
        "ANQZBMRYCPSbDOTaEJUdFIVcGLWfHKXe",
        "APXfBOWeCNVdDMUcELTbFKSaGJRZHIQY",
        "AIUeBJVfCKWcDLXdEMQaFNRbGOSYHPTZ",
        "AMWbBNXaCOUZDPVYEISfFJTeGKQdHLRc",
        "AKTYBLSZCIRaDJQbEOXcFPWdGMVeHNUf",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef",
    ),
    (32, 10): (
        "AJSVBIRfCHMeDEKNFGPaLYbdOQTZUWXc",
        "AQUfBCSaDHWZEILOFMNcGRVbJPdeKTXY",
        "AFbeBDPcCIUZEMXfGKLSHJOYNTVaQRWd",
        "ALacBMZdCEJRDQXbFHITGOWeKPUVNSYf",
        "ANRZBGQYCLPXDMOSEHVdFJUbIKWaTcef",
        "AGIMBFVXCWbfDJLTEQaeHRScKPYZNOUd",
        "AKcdBETbCDFYGHJfINPQLMVWORXaSUZe",
        "ABCODadfEGZcFLRUHNXbIVYeJKMQPSTW",
        "AEWYBHLeCQVcDGNUFKOfISXdJZabMPRT",
        "AHPXBJNWCGTdDKReEFQSIObcLVZfMUYa",
    ),
    (36, 7): (
        "AGPfBKOgCDNXEabjFLShHQUWIJYiMRVZTcde",
        "ACETBMWbDUVYFHOfGLadINPeJRghKQciSXZj",
        "AUZdBEPSCbgiDFKjGWXeHJVcIOahLMYfNQRT",
        "ASWcBFRdCHYhDaeiEIQXGOTZJKbfLPVgMNUj",
        "ABVaCJPZDGMSEOdiFQegHILTKUXhNYbcRWfj",
        "ADbhBLcjCFGUEJNWHKZeIdfgMTXiOQSVPRYa",
        "AYejBGJQCIKRDEZcFTVWHXagLOUbMPdhNSfi",
    ),
    (36, 10): (
        "AHQbBFNTCDLOEIVhGSajJKMfPXeiRUZcWYdg",
        "ACehBEJZDGYbFLSWHMadIKTXNOQUPVcfRgij",
        "ALYZBKWhCGVgDJNREPUdFHejIOfiMQSXTabc",
        "ADETBHcgCJWXFGIdKRSbLUViMOPhNZaeQYfj",
        "AJPgBOVaCISUDKdjERXYFQchGLNfHTZiMWbe",
        "AFKVBDMiCZdfEOWjGTUeHLXhINbgJSYcPQRa",
        "ABXdCKciDUghESefFJabGHORIQWZLPTjMNVY",
        "ANSiBCPbDXafEGMcFOZgHKUYIJhjLQdeRTVW",
        "AUWaBILRCEFQDHSVGKPZJOYeMTfgNXcjbdhi",
        "AFMRBUfjCYahDIceEKLgGJQiHNPWOSTdVXZb",
    ),
    (40, 10): (
        "AGdgBDJRCafkEPXiFILWHNSnKelmMVYbOQUhTZcj",
        "AiknBTfmCKhjDGNXEIbgFMUaHQRdJLOePVWZSYcl",
        "ACJYBNQjDPbhEHWmFGTeIRaiKLMcOSZdUVklXfgn",
        "ABacCSTbDdfiEJMZFHXlGOWnIUejKPQkLYhmNRVg",
        "AMQXBSWiCDIlEKOVFZghGHPcJbfjLRTkNYaeUdmn",
        "AEFjBCHUDSVmGLQbIJXhKRWfMNTiOPYgZalncdek",
        "AHZbBLglCQViDEenFOkmGRYjIMPfJKSUNWchTXad",
        "ALPUBKXYCRZeDWgkEQSaFJNdGfhlHMOjITVnbcim",
        "AOTlBVdhCGMmDLajENUfFPRSHKgiIYZkJQcnWXbe",
        "AIKNBFbnCELdDQTYGUZiHVefJagmMShkORXcPWjl",
    ),
    (44, 10): (
        "qCjohMmPYZBHKLdgcQVJbaIrilTWODGfRkEUAeSpXFNn",
        "MkVgQfRiFAGCEKeZJPONXalqWLDrSImoBjbpUYTnchHd",
        "NIYWQHTAmgRCVdSfPaKDebMXJporEBinFljLhOZkcqGU",
        "KIcnoVUFXAEWRjJDBgQheOTamflNCiZbdGPrYLSkHMpq",
        "NAMrPgqWIDUQSXjTGKRbFmecfBCkVhlYEaoHJnLZdpOi",
        "hCIXLeUHmKJiBTVrRSPFOQYqcjAakNDbdMElonfWpgGZ",
        "KYpFrclkVqLEhRaWIgiHGmjnJUAbfPTZoDBXeNQdCSMO",
        "nRAdNqSBhrijeVGIKWCUkpambPlHYJEfZQMoDFTgLXOc",
        "cCEDFHOrNUZjpXPQKfhAReoYiGMLlnSgqIkTWbVmBJad",
        "VNCpZDAlQKjkPciYUdmXThEGfFMagoObRLIBWSJHrneq",
    ),
}
