"""Settings: defaults run on a laptop, the environment says what differs on a server.

A server sets DATABASE_URL, REDIS_URL, SECRET_KEY, ALLOWED_HOSTS, HTTPS, EMAIL_URL, EMAIL_FROM and VAR_DIR, and
HSTS_PRELOAD if it wants that; `deploy/` shows how. FAST_MOVES=0 switches the fast path of moves off.
"""

import os
from email.utils import formataddr, parseaddr
from pathlib import Path
from typing import Any

from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF, STRICT_DYNAMIC
from django.core.exceptions import ImproperlyConfigured

from cardsite import environment

SITE_NAME = "Fourth Seat"

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = environment.directory("VAR_DIR", default=BASE_DIR / "var")

DEBUG = environment.flag("DEBUG", default=False)
SECRET_KEY = environment.secret_key(VAR_DIR / "secret_key")

# Hosts and transport

HTTPS = environment.flag("HTTPS", default=False)  # True: every visitor comes through a proxy that speaks TLS
HSTS_PRELOAD = environment.flag("HSTS_PRELOAD", default=False)
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
FORWARDED_ALLOW_IPS = environment.proxies("FORWARDED_ALLOW_IPS")  # whose X-Forwarded-For uvicorn believes
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HSTS_PRELOAD  # the list takes only both
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
elif HSTS_PRELOAD:
    raise ImproperlyConfigured("HSTS_PRELOAD=1 needs HTTPS=1.")
# HSTS for subdomains and preload bind other sites of the same owner, so they come only with HSTS_PRELOAD=1.
SILENCED_SYSTEM_CHECKS = [] if HSTS_PRELOAD else ["security.W005", "security.W021"]

# Moves of pages with script go past the middlewares (games/fast_moves); 0: they are answered like every other POST.
FAST_MOVES = environment.flag("FAST_MOVES", default=True)

# Metrics at /metrics, for the addresses or networks of those who collect them. The processes of a machine share files.

METRICS_ALLOW_IPS = environment.networks("METRICS_ALLOW_IPS", default=["127.0.0.1", "::1"])
METRICS_DIR = environment.directory("METRICS_DIR", default=VAR_DIR / "metrics")
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)  # where prometheus_client looks for it

# Application

INSTALLED_APPS = [
    "cardsite",
    "accounts",
    "notifications",
    "chat",
    "tournaments",
    "tutorials",
    "games",
    "cardsite.admin_site.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
]

MIDDLEWARE = [
    "cardsite.web.monitoring.monitoring_middleware",
    "infra.http_api.problems.ProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # No GZipMiddleware: it would hold back the live streams.
    "cardsite.web.security.ContentSecurityPolicyMiddleware",
    "cardsite.web.unreadable.refuse_nul_middleware",
    "accounts.logins.NoteLogins",  # reads the key that the next one has stored the session under
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "cardsite.web.htmx_pages.NoPagesInParts",
    "cardsite.web.method_not_allowed.MethodNotAllowedPage",
    "accounts.brute_force.TooManyAttemptsPage",
    "accounts.api_access.ApiAccess",
]

ROOT_URLCONF = "cardsite.urls"
CSRF_FAILURE_VIEW = "cardsite.web.security.csrf_failure"
ASGI_APPLICATION = "cardsite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cardsite.web.security.csp_nonce",
                "accounts.preferences.preferences_context",
                "infra.next_url.context",
                "games.presentation.header.current_game_link",
                "notifications.context.own_notices",
            ],
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "NAME": "jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"environment": "games.templatetags.jinja.environment"},
    },
]

# Accounts

AUTH_USER_MODEL = "accounts.User"
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
SESSION_CACHE_ALIAS = "sessions"
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
STAFF_SECOND_FACTOR = environment.flag("STAFF_SECOND_FACTOR", default=HTTPS)  # staff have no rights without one
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # as the letter says
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.password_rules.SimilarityValidator"},
    {"NAME": "accounts.password_rules.LengthValidator"},
    {"NAME": "accounts.password_rules.CommonPasswordValidator"},
]

# Database. Not ATOMIC_REQUESTS: on SQLite every page would queue for the one write lock.

DATABASE_URL = environment.text("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'cardsite.sqlite3'}")
PGBOUNCER = environment.flag("PGBOUNCER", default=False)  # DATABASE_URL leads to PgBouncer in transaction mode
DATABASES = {"default": environment.database(DATABASE_URL, is_pooled=PGBOUNCER)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis: live channel, cache, task queue. Without REDIS_URL it is the Valkey that `manage.py up` runs.

REDIS_URL = environment.text("REDIS_URL", default="")
EMBEDDED_SOCKET = environment.embedded_socket(VAR_DIR)
_redis_url = REDIS_URL or f"unix://{EMBEDDED_SOCKET}"
LIVE_REDIS_URL = environment.redis(_redis_url, db=0)
PROCESSES_FILE = environment.text("PROCESSES_FILE", default="")  # set by `manage.py up`, read by `/readyz`
LIVE_SYSTEM_CHANNEL = "system"  # every live stream listens here too; "bye" means that the web server stops
CACHE_TIMEOUTS = {"socket_connect_timeout": 3, "socket_timeout": 5}
_cache = {
    "LOCATION": environment.redis(_redis_url, db=1),
    "OPTIONS": {"pool_class": "infra.redis_client.SharedPool", **CACHE_TIMEOUTS},
}
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", **_cache},
    "sessions": {"BACKEND": "accounts.sessions.SessionCache", **_cache},
}

# Tasks. The database says what is due and the tick finds it, so a lost or repeated message does no harm.

CELERY_BROKER_URL = environment.celery(_redis_url, db=2)
CELERY_RESULT_BACKEND = environment.celery(_redis_url, db=3)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "default"  # also "slow", for tasks of more than a second or two, and "experts"
_for_nobody = {"queue": "slow", "priority": 6}  # no one waits for it; in Redis 0, the default, comes first
CELERY_TASK_ROUTES = {
    "games.tasks.answer_coach_question": {"queue": "experts"},
    "games.tasks.play_expert": {"queue": "experts"},
    "games.tasks.review_bot_game": {"queue": "slow"},
    "games.tasks.review_slice": {"queue": "slow"},
    "notifications.tasks.deliver_webhook": {"queue": "slow"},
    "tournaments.tasks.expect_end": {"queue": "slow"},
    "tournaments.tasks.make_dry_run": {"queue": "slow"},
    "tournaments.tasks.measure_game": {"queue": "slow"},
    "games.tasks.count_decks": _for_nobody,
    "tournaments.tasks.play_chunk": _for_nobody,
    "tutorials.tasks.restock_drills": _for_nobody,
    "tutorials.tasks.search_slice": _for_nobody,
}
REVIEW_RATED_GAMES = environment.flag("REVIEW_RATED_GAMES", default=False)  # some each night, for moderators
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    # Ticks expire so that they do not pile up while no worker runs.
    "games-tick": {"task": "games.tasks.tick", "schedule": 1.0, "options": {"expires": 2}},
    "games-pairs": {"task": "games.tasks.bring_pairs_together", "schedule": 10.0, "options": {"expires": 10}},
    "tournaments-tick": {"task": "tournaments.tasks.tick", "schedule": 1.0, "options": {"expires": 2}},
    "notices-tick": {"task": "notifications.tasks.tick", "schedule": 60.0, "options": {"expires": 60}},
    "puzzles-tick": {"task": "tutorials.tasks.tick", "schedule": 60.0, "options": {"expires": 60}},
    "puzzles-night": {"task": "tutorials.tasks.find_puzzles", "schedule": crontab(hour=3, minute=10)},
    # Daily clean-up; each task says how long it keeps what it deletes.
    "accounts-prune": {"task": "accounts.tasks.prune", "schedule": crontab(hour=4, minute=10)},
    "games-prune": {"task": "games.tasks.prune", "schedule": crontab(hour=4, minute=20)},
    "tournaments-prune": {"task": "tournaments.tasks.prune", "schedule": crontab(hour=4, minute=30)},
    "ladder-warnings": {"task": "tournaments.tasks.warn_ladder_players", "schedule": crontab(hour=7, minute=0)},
    "notices-prune": {"task": "notifications.tasks.prune", "schedule": crontab(hour=4, minute=40)},
    "tutorials-drills": {"task": "tutorials.tasks.restock_drills", "schedule": 30.0, "options": {"expires": 30}},
    "games-rated-reviews": {"task": "games.tasks.review_rated_games", "schedule": crontab(hour=3, minute=40)},
    "games-reviews": {"task": "games.tasks.resume_reviews", "schedule": 60.0, "options": {"expires": 60}},
    "games-decks": {"task": "games.tasks.count_new_decks", "schedule": 60.0, "options": {"expires": 60}},
}

# Notices by e-mail and Web Push. Push services are origins, * is a wildcard.

globals().update(environment.mail(environment.text("EMAIL_URL", default=f"file://{VAR_DIR / 'mail'}")))
_from_name, EMAIL_FROM = parseaddr(environment.text("EMAIL_FROM", default="cards@localhost"))
DEFAULT_FROM_EMAIL = formataddr((_from_name or SITE_NAME, EMAIL_FROM))
PUSH_SERVICES = environment.words(
    "PUSH_SERVICES",
    default=[
        "https://fcm.googleapis.com",
        "https://*.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    ],
)

WEBHOOKS_TO_LOOPBACK = environment.flag("WEBHOOKS_TO_LOOPBACK", default=False)  # also http; for development and tests

# Language, time, static files

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
STATIC_URL = "/static/"
STATIC_ROOT = environment.directory("STATIC_ROOT", default=VAR_DIR / "static")
FILE_UPLOAD_PERMISSIONS = None  # collected files too have those that the umask says: `up` keeps its folder private
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "cardsite.web.static_files.HashedStaticFiles"},
}
WHITENOISE_USE_FINDERS = True  # serves the apps' files under their plain names, too
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# Content security policy

PAGE_POLICY = {
    "default-src": [NONE],
    "script-src": [NONCE, STRICT_DYNAMIC],
    "style-src": [SELF, NONCE],
    "connect-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "manifest-src": [SELF],
    "worker-src": [SELF],
    "form-action": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}
# The admin's own script tags carry no nonce.
ADMIN_POLICY = PAGE_POLICY | {"script-src": [SELF]}
# Pages in frames of other sites (cardsite/web/embedding.py): the same for all readers, so without a nonce.
EMBED_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "connect-src": [SELF],
    "img-src": [SELF],
    "form-action": [NONE],
    "base-uri": [NONE],
    "frame-ancestors": ["*"],
}
CONTENT_SECURITY_POLICY = {"DIRECTIVES": PAGE_POLICY}

# Logs. As JSON they carry the fields of `infra.log_context`, and lines of Celery and uvicorn have the same format.

LOG_FORMAT = environment.choice("LOG_FORMAT", ["line", "json"])
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "%(levelname)s %(name)s %(message)s",
            "rename_fields": {"levelname": "level", "name": "logger"},
            "timestamp": "time",
        },
    },
    "filters": {"context": {"()": "infra.log_context.ContextFilter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["context"]}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"uvicorn": {"handlers": [], "propagate": True}} if LOG_FORMAT == "json" else {},
}

SENTRY_DSN = environment.text("SENTRY_DSN", default="")  # cardsite/error_reports.py
OTEL_EXPORTER_OTLP_ENDPOINT = environment.text("OTEL_EXPORTER_OTLP_ENDPOINT", default="")  # infra/tracing.py
os.environ.setdefault("OTEL_SERVICE_NAME", "cardsite")
