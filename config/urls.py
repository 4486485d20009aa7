"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config import offline

handler500 = "config.busy.broken"

urlpatterns = [
    path("tables/<int:pk>/", include("scoring.table_urls")),
    path("sw.js", offline.service_worker, name="service-worker"),
    path("offline/", offline.without_connection, name="offline"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls", namespace="v1")),
    path("language/", include("django.conf.urls.i18n")),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("", include("scoring.urls")),
]
