"""Settings, all from the environment; every variable is described in ``.env.example``.

Without any variable this is the *embedded* set-up: one machine, SQLite and a file broker under
``var/``, plain HTTP, a key of its own. It ends where DATABASE_URL names a server (or EMBEDDED=0
says so): from there on a missing SECRET_KEY is refused and HTTPS is insisted on.
"""

from __future__ import annotations

import os
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery.schedules import crontab
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

TESTING = "PYTEST_VERSION" in os.environ
DATABASE_URL = env.text("DATABASE_URL")
EMBEDDED = TESTING or env.flag("EMBEDDED", default=not DATABASE_URL)
DEBUG = env.flag("DEBUG", default=False)

SECRET_KEY = env.secret_key(keep_in=VAR_DIR / "secret_key" if EMBEDDED or DEBUG else None)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS", ".localhost,127.0.0.1,[::1]" if EMBEDDED or DEBUG else ""
)
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

# The parts

INSTALLED_APPS = [
    "config",
    "scoring",
    "tournaments",
    "clubs",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
]

MIDDLEWARE = [
    "config.ours.says_ours",
    "config.once.done_once",
    "config.heads.headers_only",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.onlookers.names_as_allowed",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.refusals.answer_refusals",
]
CSRF_FAILURE_VIEW = "config.refusals.too_old"

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# People

AUTH_USER_MODEL = "clubs.User"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
if TESTING:  # a slow hash is the point of one, and a waste in a thousand tests
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "clubs.passwords.TokensEnd"}]

# Who was a member on a day is counted by a drawer that the people's own must not import: their
# actions call this, with the player, in the transaction of the change.
AFTER_MEMBERSHIP_CHANGES = ["scoring.actions.players.count_membership"]

# Rows

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database(
        DATABASE_URL,
        embedded_file=VAR_DIR / "tapis-vert.sqlite3",
        pool_size=env.number("DATABASE_POOL_SIZE", 10),
    ),
}
VAR_DIR.mkdir(parents=True, exist_ok=True)
if TESTING and not DATABASE_URL:
    # In a file, not in memory: threads of one test then have connections of their own, as in life.
    DATABASES["default"]["TEST"] = {
        "NAME": f"{tempfile.gettempdir()}/tapis-vert-test-{os.getpid()}.sqlite3",
    }

REDIS_URL = env.text("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "tapis-vert",
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # What pages sent is kept for a day (config.once): more than the usual 300 entries.
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}

# Words, numbers and times

LANGUAGE_CODE = env.text("LANGUAGE_CODE", "en")
LANGUAGES = [
    ("en", _("English")),
    ("fr", _("French")),
    ("pt-br", _("Brazilian Portuguese")),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.text("TIME_ZONE", "Europe/Paris")
USE_TZ = True
USE_THOUSAND_SEPARATOR = False
FORMAT_MODULE_PATH = ["config.formats"]

# Files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if TESTING or DEBUG
            else "config.static_files.NamedByBytes"
        ),
    },
}
# In a debug or test run files are served from where they lie: no collectstatic between two tries.
WHITENOISE_USE_FINDERS = TESTING or DEBUG
WHITENOISE_AUTOREFRESH = TESTING or DEBUG

# Safety

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

HTTPS_ONLY = env.flag("HTTPS_ONLY", default=not (EMBEDDED or DEBUG))
SECURE_SSL_REDIRECT = HTTPS_ONLY
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
LANGUAGE_COOKIE_SECURE = HTTPS_ONLY
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 3600 if HTTPS_ONLY else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
if env.flag("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Mail

MAILERS = {"default": env.mailer(env.text("SMTP_URL"))}
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Tapis Vert <tapis-vert@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# The API

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # The first one says how to authenticate: without an account the answer is 401.
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "DEFAULT_VERSION": "v1",
    "ALLOWED_VERSIONS": ["v1"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
        "rest_framework.throttling.ScopedRateThrottle",
    ],
    # A test of a throttle sets its own rate; no other test may run into one.
    "DEFAULT_THROTTLE_RATES": {
        "anon": None if TESTING else env.text("THROTTLE_ANON", "120/min"),
        "user": None if TESTING else env.text("THROTTLE_USER", "600/min"),
        "token": None if TESTING else env.text("THROTTLE_TOKEN", "10/min"),
    },
    "NUM_PROXIES": 1 if env.flag("BEHIND_PROXY", default=False) else 0,
    "EXCEPTION_HANDLER": "config.api.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Tapis Vert",
    "DESCRIPTION": "Clubs, evenings, score sheets and leaderboards.",
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.schema.forget_column_ranges",
    ],
    "SCHEMA_PATH_PREFIX": r"/api/v[0-9]+",
    "ENUM_NAME_OVERRIDES": {
        "EventKind": "tournaments.models.Event.Kind",
        "EventState": "tournaments.models.Event.State",
        "RulingKind": "tournaments.models.Ruling.Kind",
        "RoundState": "tournaments.models.Round.State",
        "TableState": "tournaments.models.Table.State",
        "RowState": "scoring.models.SheetRow.State",
        "TrucoLineKind": "scoring.models.TrucoLine.Kind",
        "EndingEnum": "scoring.models.TrucoLine.Ending",
        "WinnerEnum": "scoring.games.truco_serializers.PAIRS",
        "FixtureSide": "tournaments.models.Fixture.Side",
        "FixtureEnding": "tournaments.models.Fixture.Ending",
        "FixtureState": "tournaments.models.Fixture.State",
        "StageKind": "tournaments.models.Stage.Kind",
        "Side": "scoring.games.tarot_serializers.SIDES",
    },
}

# Jobs

CELERY_BROKER_URL = "memory://" if TESTING else env.text("BROKER_URL", "filesystem://localhost")
CELERY_BROKER_TRANSPORT_OPTIONS = env.broker_options(CELERY_BROKER_URL, folder=VAR_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# No page may wait for a queue that is down: a lost message is sent again by the sweep.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True  # tasks can run twice, so a second delivery is safe
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 20
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Questions to a running worker would leave a file each in the embedded queue.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not CELERY_BROKER_URL.startswith("filesystem")
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
SWEEP_SECONDS = 10
CELERY_BEAT_SCHEDULE = {
    "refresh what is stale": {
        "task": "scoring.tasks.refresh_stale",
        "schedule": timedelta(seconds=SWEEP_SECONDS),
        # While no worker runs the messages pile up: all but the last are void when it is back.
        "options": {"expires": SWEEP_SECONDS},
    },
    "replay everything and compare": {
        "task": "scoring.tasks.audit_rankings",
        "schedule": crontab(hour=4, minute=15),
        "options": {"expires": 60 * 60},
    },
}

# Logs

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "filters": {"ordinary refusals": {"()": "config.logs.OrdinaryRefusals"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"filters": ["ordinary refusals"]},
    },
}
