"""What lets a phone keep the site: its description, and the script that answers without network."""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.http import etag_of, not_modified

#: What the pages at a table are made of; each is kept as the address that the pages name.
SHELL = (
    "tokens.css",
    "site.css",
    "site.js",
    "sending.js",
    "outbox.js",
    "outbox/page.js",
    "outbox/store.js",
    "outbox/sending.js",
    "outbox/list.js",
    "outbox/queue.js",
    "outbox/asking.js",
    "outbox/entering.js",
    "live.js",
    "unsent.js",
    "deal.js",
    "truco.js",
    "sprite.svg",
    "icon.svg",
    "fonts/source-sans-3-latin.woff2",
    "fonts/source-sans-3-latin-ext.woff2",
    "django_htmx/htmx-2.min.js",
)
WORKER = Path(__file__).with_name("worker.js")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponseBase:
    """Give the script that keeps the pages of a table; other files make another script."""
    script = worker_script()
    etag = etag_of(script)
    answer = not_modified(request, etag) or HttpResponse(script, content_type="text/javascript")
    answer.headers["ETag"] = etag
    return answer


def worker_script() -> str:
    """Give the script with its version and the files that it keeps."""
    facts = {
        "version": f"{version_of_files()}-{version_of_page()}",
        "folder": settings.STATIC_URL,
        "files": [static(name) for name in SHELL],
        "offline": reverse("offline"),
    }
    source = WORKER.read_text(encoding="utf-8")
    return f"const SITE = {json.dumps(facts)};\n{source}"


def version_of_files() -> str:
    """Name all files as they are: by the manifest of a site that runs, else by their bytes."""
    manifest: str = getattr(staticfiles_storage, "manifest_hash", "")
    return manifest or version_by_bytes()


def version_of_page() -> str:
    """Name the page of no connection as it is, in this language."""
    return blake2b(render_to_string("offline.html").encode(), digest_size=4).hexdigest()


@require_safe
@cache_control(no_cache=True)
def without_connection(request: HttpRequest) -> HttpResponse:
    """Give the page that stands for one that has not come through, and asks for it again."""
    return render(request, "offline.html")


@cache
def version_by_bytes() -> str:
    """Name the files that are served from where they lie."""
    digest = blake2b(digest_size=8)
    for name in SHELL:
        found = finders.find(name)
        digest.update(Path(found).read_bytes() if found else b"")
    return digest.hexdigest()


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the site to a phone that puts it on its first screen."""
    facts = {
        "name": "Tapis Vert",
        "short_name": "Tapis Vert",
        "description": _("Tarot and truco: score sheets, standings and rankings of a club."),
        "id": "/",
        "start_url": "/?from=home-screen",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f8f4ea",
        "theme_color": "#17573f",
        "icons": [
            {"src": static("icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": static("icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {
                "src": static("icon-maskable-512.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        ],
    }
    return JsonResponse(facts, content_type="application/manifest+json")
