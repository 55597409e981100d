"""Settings of Tiebreak, read from the environment; every default works on one machine with nothing else installed."""

import os
import sys
from pathlib import Path

import environ
from csp.constants import NONE, SELF

from config.secrets_file import read_or_create_secret

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
environ.Env.read_env(os.environ.get("TIEBREAK_ENV_FILE", BASE_DIR / ".env"))

# Where everything that is not code lives: database, media, exports, secrets.
VAR_DIR = Path(env.str("TIEBREAK_VAR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)

VERSION = "0.1.0"
DEBUG = env.bool("DEBUG", default=False)
TESTING = "pytest" in sys.modules
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_create_secret(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SIGNED_COOKIE_LEGACY_SALT_FALLBACK = False

# ---------------------------------------------------------------------------------------------- applications
INSTALLED_APPS = [
    "config.admin.TiebreakAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "lucide",
    "rest_framework",
    "template_partials",
    "annotate",
    "exports",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "annotate.middleware.PageCompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotate.middleware.LanguageMiddleware",
    "annotate.middleware.NoStoreMiddleware",
]

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
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotate.views.navigation.navigation",
            ],
        },
    },
]

# -------------------------------------------------------------------------------------------------- database
DATABASE_URL = env.str("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'tiebreak.sqlite3'}")
DATABASES = {"default": environ.Env.db_url_config(DATABASE_URL)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Write transactions queue for the lock instead of failing with "database is locked"; a commit survives a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        " PRAGMA cache_size=-8000;",  # KiB
    }
    # Tests use a file too: in memory there is no WAL, and a second connection meets locks that a file does not have.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / f"test-{os.getpid()}.sqlite3")}
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---------------------------------------------------------------------------------------------------- people
AUTH_USER_MODEL = "annotate.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "annotate.adapters.ClosedSignupAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "/accounts/login/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_PREVENT_ENUMERATION = True
# A team of annotators signs in from one address at nine o'clock; failed attempts keep their own, low limit.
ACCOUNT_RATE_LIMITS = {"login": "300/m/ip"}
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="tiebreak@localhost")

# ----------------------------------------------------------------------------------------------------- files
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
# Made by "manage.py build_static" from files of installed packages, so that no third-party file is in the repository.
BUILT_STATIC = VAR_DIR / "built_static"
BUILT_STATIC.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static", BUILT_STATIC]
MEDIA_ROOT = VAR_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(MEDIA_ROOT)}},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or TESTING
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
EXPORT_ROOT = VAR_DIR / "exports"
IMPORT_ROOT = VAR_DIR / "imports"
EXPORT_DAYS = env.int("EXPORT_DAYS", default=30)  # then the files are deleted; the manifest stays
EXPORT_PIECE_TASKS = env.int("EXPORT_PIECE_TASKS", default=5000)
FILE_UPLOAD_PERMISSIONS = 0o600
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 20
IMPORT_REMOTE_MEDIA = env.bool("IMPORT_REMOTE_MEDIA", default=False)  # files that a dataset names by web address
IMPORT_KEEP_DAYS = env.int("IMPORT_KEEP_DAYS", default=7)  # how long an upload waits for its import
IMPORT_MAX_BYTES = env.int("IMPORT_MAX_BYTES", default=2 * 1024**3)

# ------------------------------------------------------------------------------------------------------ jobs
REDIS_URL = env.str("REDIS_URL", default="")
JOB_LEASE_SECONDS = env.float("JOB_LEASE_SECONDS", default=60)
JOB_POLL_SECONDS = 0.5
JOB_RECONCILE_SECONDS = env.float("JOB_RECONCILE_SECONDS", default=30)
JOB_MAX_ATTEMPTS = env.int("JOB_MAX_ATTEMPTS", default=3)
JOB_MAX_UNFINISHED_PER_PERSON = env.int("JOB_MAX_UNFINISHED_PER_PERSON", default=3)
JOB_TIME_LIMIT_SECONDS = env.int("JOB_TIME_LIMIT_SECONDS", default=1800)
WORKER_CONCURRENCY = env.int("WORKER_CONCURRENCY", default=2)

# --------------------------------------------------------------------------------------------------- caching
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# ------------------------------------------------------------------------------------------------------- api
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    # A view that forgets its policy is closed, not open.
    "DEFAULT_PERMISSION_CLASSES": ["annotate.access.NoAccess"],
}

# -------------------------------------------------------------------------------------------------- security
HTTPS = env.bool("HTTPS", default=False)
SECURE_CONTENT_TYPE_NOSNIFF = True
# Not "no-referrer": browsers then send "Origin: null" with forms, and the CSRF check refuses them.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS and env.bool("SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Else all people count as one client, the proxy, and one who guesses passwords locks everybody out.
    ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXY_COUNT", default=1)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# ----------------------------------------------------------------------------------------- language and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("ar", "العربية"), ("zh-hans", "简体中文")]
BUILT_LOCALE = VAR_DIR / "built_locale"  # made by "manage.py build_messages" from the first of the two
LOCALE_PATHS = [BASE_DIR / "config" / "locale", BUILT_LOCALE]
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
FORMAT_MODULE_PATH = "config.formats"
USE_I18N = True
USE_TZ = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "ERROR"},
        "fontTools": {"level": "WARNING"},
    },
}
