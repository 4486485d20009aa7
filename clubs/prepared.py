"""What a whole hall reads and writes again and again: the SQL is made once, and then only sent.

To make the SQL of a read takes longer than to read the few rows of a table and its seats; and to
save a row as models do takes longer than to store it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    from uuid import UUID

LARGEST_KEY = models.BigIntegerField.MAX_BIGINT


class PreparedRead[Row: models.Model]:
    """Reads the rows that have one key in a column, with all that the queryset joins to them.

    What else the queryset asks for stays as it was when it was first read: nothing of it may
    depend on the day, the person or the language.
    """

    def __init__(self, rows: models.QuerySet[Row], column: str = "pk") -> None:
        self.rows, self.column = rows, column

    def __call__(self, key: int | UUID) -> list[Row]:
        if isinstance(key, int) and key > LARGEST_KEY:
            return []
        found = self.prepared.all()
        cast("_PreparedQuery", found.query).key = key
        return list(found)

    def one(self, key: int | UUID) -> Row | None:
        """Give the row that has the key, if there is one."""
        return next(iter(self(key)), None)

    def of(self, owner: models.Model) -> list[Row]:
        """Give the rows of whatever the column points to; each of them knows this very object."""
        rows = self(owner.pk)
        for row in rows:
            setattr(row, self.column, owner)
        return rows

    @cached_property
    def prepared(self) -> models.QuerySet[Row]:
        """The rows, whose key is still open."""
        facts = self.rows.model._meta  # noqa: SLF001 - documented, whatever its name says
        field = facts.pk if self.column == "pk" else facts.get_field(self.column)
        gap = "0" * 32 if isinstance(field, models.UUIDField) else -1
        rows = self.rows.filter(**{self.column: gap})
        query = cast("_PreparedQuery", rows.query.chain(klass=_PreparedQuery))
        query.prepare(field, gap, using=rows.db)
        rows.query = query
        return rows


class _PreparedQuery(Query):
    """A query whose compiler has made its SQL already."""

    key: Any = None

    def prepare(self, field: Any, gap: Any, *, using: str) -> None:
        self.key_field, self.using = field, using
        self.made = SQLCompiler(self, connections[using], using)
        self.sql, values = self.made.as_sql()
        stored = self.stored(gap)
        if values.count(stored) != 1:
            raise ValueError(f"The key is not asked for once: {values}.")
        at = values.index(stored)
        self.before, self.after = tuple(values[:at]), tuple(values[at + 1 :])
        columns = [column for column, *_sql in self.made.select]
        self.converters = self.made.get_converters(columns)

    def stored(self, key: Any) -> Any:
        """Give a key as the database has it."""
        return self.key_field.get_db_prep_value(key, connections[self.using])

    @property
    def values(self) -> tuple[Any, ...]:
        """What the SQL is sent with."""
        return (*self.before, self.stored(self.key), *self.after)

    def get_compiler(self, *_args: Any, **_options: Any) -> SQLCompiler:
        return _MadeCompiler(self)


class _MadeCompiler(SQLCompiler):
    """What a compiler knows once it has made its SQL, for one more key."""

    query: _PreparedQuery

    def __init__(self, query: _PreparedQuery) -> None:
        made = query.made
        # A connection belongs to one thread.
        super().__init__(query, connections[query.using], query.using)
        self.select, self.col_count = made.select, made.col_count
        self.klass_info, self.annotation_col_map = made.klass_info, made.annotation_col_map
        self.has_extra_select = made.has_extra_select

    def as_sql(self, *_args: Any, **_options: Any) -> tuple[str, tuple[Any, ...]]:
        return self.query.sql, self.query.values

    def get_converters(self, *_args: Any) -> dict[int, Any]:
        return self.query.converters


class PreparedInsert[Row: models.Model]:
    """Writes new rows of a model, which know their keys from then on.

    Nothing is checked, no field fills itself in and no signal is sent: whoever writes answers for
    what the rows say.
    """

    def __init__(self, model: type[Row]) -> None:
        self.model = model

    def __call__(self, *rows: Row) -> list[Row]:
        begin, gaps, end = self.statement
        with connection.cursor() as cursor:
            cursor.execute(
                f"{begin} {', '.join([gaps] * len(rows))} {end}",
                [value for row in rows for value in _stored(row, self.fields)],
            )
            keys = cursor.fetchall()
        for row, (key,) in zip(rows, keys, strict=True):
            row.pk = key
            row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 - documented
        return list(rows)

    @cached_property
    def fields(self) -> list[Any]:
        """The fields that a row says; its key is given by the database."""
        facts = self.model._meta  # noqa: SLF001 - documented
        return [field for field in facts.concrete_fields if not field.primary_key]

    @cached_property
    def statement(self) -> tuple[str, str, str]:
        """The SQL before the rows, the gaps of one row, and the SQL after them."""
        facts: Any = self.model._meta  # noqa: SLF001 - documented
        quoted = connection.ops.quote_name
        columns = ", ".join(quoted(field.column) for field in self.fields)
        return (
            f"INSERT INTO {quoted(facts.db_table)} ({columns}) VALUES",
            f"({', '.join(['%s'] * len(self.fields))})",
            f"RETURNING {quoted(facts.pk.column)}",
        )


class PreparedUpdate[Row: models.Model]:
    """Writes the same fields of rows that are there; as little is checked or told."""

    def __init__(self, model: type[Row], *names: str) -> None:
        self.model, self.names = model, names

    def __call__(self, row: Row) -> None:
        with connection.cursor() as cursor:
            cursor.execute(self.statement, self.values_of(row))

    def each(self, rows: Sequence[Row]) -> None:
        """Write many rows at one go."""
        if not rows:
            return
        with connection.cursor() as cursor:
            cursor.executemany(self.statement, [self.values_of(row) for row in rows])

    def values_of(self, row: Row) -> list[Any]:
        """Give what the SQL is sent with."""
        return [*_stored(row, self.fields), row.pk]

    @cached_property
    def fields(self) -> list[Any]:
        """The fields that are written."""
        return [self.model._meta.get_field(name) for name in self.names]  # noqa: SLF001 - documented

    @cached_property
    def statement(self) -> str:
        """The SQL, with gaps for what the fields say and for the key."""
        facts: Any = self.model._meta  # noqa: SLF001 - documented
        quoted = connection.ops.quote_name
        columns = ", ".join(f"{quoted(field.column)} = %s" for field in self.fields)
        table, key = quoted(facts.db_table), quoted(facts.pk.column)
        return f"UPDATE {table} SET {columns} WHERE {key} = %s"  # noqa: S608 - names of the model


def _stored(row: models.Model, fields: Sequence[Any]) -> list[Any]:
    """Give what a row says in its fields as the database has it."""
    # Each field asks the connection several times: not by the proxy, which looks it up each time.
    found = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(getattr(row, field.attname), found) for field in fields]


def keep(owner: models.Model, name: str, rows: Iterable[models.Model]) -> None:
    """Let ``owner.name.all()`` be these rows, as if they had been prefetched.

    They have just been read or written, all of them, and in the order in which they are asked for.
    """
    found = getattr(owner, name).get_queryset()
    found._result_cache, found._prefetch_done = list(rows), True  # noqa: SLF001
    vars(owner).setdefault("_prefetched_objects_cache", {})[name] = found
