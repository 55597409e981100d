"""The translated texts of the scripts."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from annotate.access import public


@public
@require_safe
def texts(request: HttpRequest, language: str) -> HttpResponseBase:
    """Answer the catalogue of one language as a script that defines ``gettext``. It is the same for everybody."""
    if language not in dict(settings.LANGUAGES):
        raise Http404(_("There is no such language."))
    with translation.override(language):
        response = JavaScriptCatalog.as_view(packages=["annotate"])(request)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response
