"""What every answer of the site has in common."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.cache import patch_cache_control, patch_vary_headers


class NoStoreMiddleware:
    """Keep pages of signed-in people out of every cache, and pages apart from their htmx fragments."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, no_store=True, private=True)
        patch_vary_headers(response, ["HX-Request"])
        return response


class PageCompressionMiddleware(GZipMiddleware):
    """Compress pages, and nothing else: media needs its length and its ranges, and downloads are compressed already.

    Django pads each answer by a random number of bytes, so that its length tells no secret in it (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.get("Content-Type", "").startswith(("text/html", "application/json"))
        return super().process_response(request, response) if is_page and not response.streaming else response


class LanguageMiddleware:
    """Answer in the language that the person chose, else in the one that the browser asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = getattr(request.user, "language", "")
        with translation.override(chosen or translation.get_language_from_request(request)):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or "en")
        if not chosen:
            patch_vary_headers(response, ["Accept-Language"])
        return response
