"""Clubs and seasons over the API, and the token that stands for an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import exceptions, serializers, status
from rest_framework.authtoken.models import Token
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView
from rest_framework.viewsets import ReadOnlyModelViewSet

from clubs.forms.accounts import SignInForm
from clubs.models import Club, Publication, Season, User
from clubs.querysets import ClubQuerySet, SeasonQuerySet


class StrictSerializer(serializers.Serializer[Any]):
    """What is sent, with no field beyond those named: a slip of the pen is not lost in silence."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = {
                str(name): [_("There is no such field.")]
                for name in data
                if name not in self.fields
            }
            if unknown:
                raise serializers.ValidationError(unknown, code="unknown_field")
        return super().to_internal_value(data)


class FieldErrorSerializer(serializers.Serializer[Any]):
    """One thing that is wrong with a field."""

    code = serializers.CharField(help_text="Stable; made for programs.")
    message = serializers.CharField(help_text="A sentence in the caller's language.")


class ErrorSerializer(serializers.Serializer[Any]):
    """A refusal; `fields` names what to mend, "" is the whole."""

    code = serializers.CharField(help_text="Stable; made for programs.")
    message = serializers.CharField(help_text="A sentence in the caller's language.")
    fields = serializers.DictField(  # type: ignore[assignment]  # the word of the answer
        child=FieldErrorSerializer(many=True), help_text="Empty unless the code is `invalid`."
    )


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = ("slug", "name", "town", "about", "language", "publication")


class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A run of evenings that one ranking counts together."""

    club = serializers.SlugRelatedField[Club](slug_field="slug", read_only=True)

    class Meta:
        model = Season
        fields = ("id", "club", "name", "starts_on", "ends_on", "publication")


@extend_schema_view(
    list=extend_schema(summary="Public clubs and your own"),
    retrieve=extend_schema(summary="A club", responses={200: ClubSerializer, 404: ErrorSerializer}),
)
class ClubViewSet(ReadOnlyModelViewSet[Club]):
    """Clubs that are public, and those of which you are a member."""

    serializer_class = ClubSerializer
    lookup_field = "slug"
    queryset = Club.objects.none()

    def get_queryset(self) -> ClubQuerySet:
        return Club.objects.visible_to(self.request.user).by_name()

    @extend_schema(
        summary="The seasons of a club",
        responses={200: SeasonSerializer(many=True), 404: ErrorSerializer},
    )
    @action(detail=True, pagination_class=None)
    def seasons(self, request: Request, slug: str) -> Response:
        """Give the seasons whose ranking you may see, the latest first."""
        seasons = visible_seasons(request).filter(club=self.get_object()).select_related("club")
        return Response(SeasonSerializer(seasons.latest_first(), many=True).data)


def visible_seasons(request: Request) -> SeasonQuerySet:
    """The seasons whose ranking the caller may see: published ones, and all of his own clubs."""
    public = Q(publication=Publication.PUBLIC, club__publication=Publication.PUBLIC)
    own = Q(club__in=Club.objects.of(request.user).values("pk"))
    return Season.objects.filter(public | own)


@extend_schema_view(
    list=extend_schema(summary="Seasons", parameters=[OpenApiParameter("club", str)]),
    retrieve=extend_schema(
        summary="A season", responses={200: SeasonSerializer, 404: ErrorSerializer}
    ),
)
class SeasonViewSet(ReadOnlyModelViewSet[Season]):
    """Seasons whose ranking is published, and those of your own clubs."""

    serializer_class = SeasonSerializer
    lookup_value_converter = "int"
    queryset = Season.objects.none()

    def get_queryset(self) -> SeasonQuerySet:
        seasons = visible_seasons(self.request).select_related("club").latest_first()
        club = self.request.query_params.get("club")
        return seasons.filter(club__slug=club) if club else seasons


class CredentialsSerializer(StrictSerializer):
    """What somebody signs in with."""

    email = serializers.EmailField()
    password = serializers.CharField()


class TokenSerializer(serializers.Serializer[Any]):
    """A token: send it as `Authorization: Token …`."""

    token = serializers.CharField()


class TokenView(APIView):
    """A token that stands for your account until it is taken back."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "token"

    @extend_schema(
        summary="Get a token",
        request=CredentialsSerializer,
        responses={200: TokenSerializer, 400: ErrorSerializer, 429: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Give the account's token, made on first use; refuses as the sign-in page does."""
        given = CredentialsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        form = SignInForm(request._request, given.validated_data)  # noqa: SLF001 - the page's rules
        if not form.is_valid() or form.account is None:
            refusals = [str(each) for each in form.non_field_errors()]
            if form.is_blocked:
                raise exceptions.Throttled(detail=refusals[0])
            raise exceptions.ValidationError({"non_field_errors": refusals}, code="wrong")
        token, _is_new = Token.objects.get_or_create(user=form.account)
        return Response({"token": token.key})


class OwnTokenView(APIView):
    """The token with which you come."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Take the token back", responses={204: None, 401: ErrorSerializer}, request=None
    )
    def delete(self, request: Request) -> Response:
        """Make the account's token worthless."""
        Token.objects.filter(user=cast("User", request.user)).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
