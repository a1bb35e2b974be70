"""Settings, all from the environment; `docs/guides/keep.md` lists the variables."""

import os
import socket
import time
import warnings
from pathlib import Path

from ludotheque import words
from ludotheque.web import backends, secret_keys

HERE = Path(__file__).parent
MIN_PASSWORD_CHARS = 12
DATA = Path(os.environ.get("LUDOTHEQUE_DATA", "data")).resolve()
SECRET_FILE = DATA / "secret-key"


def _words(name: str, default: str = "") -> list[str]:
    return os.environ.get(name, default).replace(",", " ").split()


def _secrets() -> secret_keys.Keys:
    """From the environment, else the file that `serve` keeps, else one that lasts as long as this process."""
    if given := os.environ.get("LUDOTHEQUE_SECRET_KEY"):
        return secret_keys.Keys(given, _words("LUDOTHEQUE_OLD_SECRET_KEYS"))
    known = secret_keys.load(SECRET_FILE) or [secret_keys.SecretKey(secret_keys.fresh())]
    return secret_keys.in_force(known, time.time())


def _own_names() -> list[str]:
    """What this machine is called in a home network."""
    name = socket.gethostname().lower()
    return [name, f"{name.partition('.')[0]}.local"]


def _thinker() -> str:
    """The function that answers for computer players; its earlier name is accepted, with a notice."""
    ours, earlier = "ludotheque.web.players.questions:think", "ludotheque.web.questions:think"
    given = os.environ.get("LUDOTHEQUE_THINKER", ours)
    if given != earlier:
        return given
    warnings.warn(
        f"LUDOTHEQUE_THINKER: {earlier} is now the default; unset the variable.", FutureWarning, stacklevel=2
    )
    return ours


SECRET_KEY, SECRET_KEY_FALLBACKS = _secrets()
DEBUG = os.environ.get("LUDOTHEQUE_DEBUG") == "1"
HTTPS = os.environ.get("LUDOTHEQUE_HTTPS") == "1"
LEARNS_HOSTS = os.environ.get("LUDOTHEQUE_LEARN_HOSTS") == "1"  # as `--host 0.0.0.0` does
ALLOWED_HOSTS = _words("LUDOTHEQUE_HOSTS", "localhost 127.0.0.1 [::1]") + (_own_names() if LEARNS_HOSTS else [])
CSRF_TRUSTED_ORIGINS = _words("LUDOTHEQUE_ORIGINS")

INSTALLED_APPS = [
    "channels",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "ludotheque.web.apps.Web",
]
MIDDLEWARE = [
    "ludotheque.web.monitor.logs.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "ludotheque.web.guard.headers.CspMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "ludotheque.web.guard.plain_text.PlainTextMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "ludotheque.web.visitors.VisitorMiddleware",
    "ludotheque.web.guard.rate_limits.RateLimitMiddleware",
    "ludotheque.web.guard.logins.LoginMiddleware",
    "ludotheque.web.guard.outage.DatabaseOutageMiddleware",
    "ludotheque.web.guard.disk_space.FreeRoomMiddleware",
]
ROOT_URLCONF = "ludotheque.web.urls"
ASGI_APPLICATION = "ludotheque.web.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["ludotheque.web.templatetags.site"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ludotheque.web.pages.shelf.page_context",
            ],
        },
    }
]

REDIS_URL = os.environ.get("REDIS_URL", "")
DATABASES = {"default": backends.database(os.environ.get("DATABASE_URL", ""), DATA)}
CACHES = {"default": backends.cache(REDIS_URL)}
CHANNEL_LAYERS = {"default": backends.channel_layer(REDIS_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LIMITS = os.environ.get("LUDOTHEQUE_LIMITS", "")
WATCHERS = _words("LUDOTHEQUE_WATCHERS", "127.0.0.0/8 ::1")
MIN_FREE_MB = int(
    os.environ.get("LUDOTHEQUE_MIN_FREE_MB", "50")
)  # on the disk; below it only moves and reading go on
METRICS_TOKEN = os.environ.get("LUDOTHEQUE_METRICS_TOKEN", "")

RETENTION = os.environ.get("LUDOTHEQUE_RETENTION", "")
THINKER = _thinker()
THINKERS = int(os.environ.get("LUDOTHEQUE_THINKERS", "2"))
WARM_UP = os.environ.get("LUDOTHEQUE_WARM_UP", "1") == "1"
PACE = float(os.environ.get("LUDOTHEQUE_PACE", "0.6"))  # seconds that a computer player takes at least
SWEEP = float(os.environ.get("LUDOTHEQUE_SWEEP", "10"))  # seconds after which a turn that nobody took is taken again

LANGUAGE_CODE = words.DEFAULT_LANGUAGE
LANGUAGES = [(lang, words.say(None, lang, "language", "name")) for lang in words.LANGUAGES]
LANGUAGE_COOKIE_NAME = "language"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STORAGES = {"staticfiles": {"BACKEND": "ludotheque.web.server.static_files.StaticStorage"}}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health$", r"^ready$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # other names of the domain are their keeper's affair
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 12 * 3600  # of keepers: visitors have no session
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": MIN_PASSWORD_CHARS},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "ludotheque.web.pages.errors.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "ludotheque.web.monitor.logs.JsonFormatter"}},
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": "lines"},
        "count": {"class": "ludotheque.web.monitor.logs.ErrorCountHandler", "level": "ERROR"},
    },
    "root": {"handlers": ["out", "count"], "level": os.environ.get("LUDOTHEQUE_LOG", "INFO")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},  # every request is in our own log already
        "django.security": {"level": "CRITICAL"},  # anyone can send a wrong host, or a thousand fields: no tracebacks
        "django.security.csrf": {"level": "WARNING"},
        "uvicorn.error": {"level": "WARNING"},  # it would write the addresses of connections
        "uvicorn.error.http": {"level": "ERROR"},  # anyone can send what is no HTTP: counted, and no line for each
    },
}
