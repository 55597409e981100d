"""The page of a person's own settings."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotate.access import SignedInRequest, signed_in
from annotate.actions.accounts import PreferencesRefused, save_preferences
from annotate.forms.preferences import PREFIX, PreferencesForm


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: SignedInRequest) -> HttpResponseBase:
    """Show the settings; POST keeps them."""
    form = PreferencesForm(request.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            save_preferences(language=form.cleaned_data["language"], keys=form.keys(), by=request.user)
            messages.success(request, _("Your settings are saved."))
            return redirect("preferences")
        except PreferencesRefused as refused:
            for action, message in refused.problems.items():
                form.add_error(f"{PREFIX}{action}", message)
    return render(request, "annotate/accounts/preferences.html", {"form": form}, status=422 if form.errors else 200)
