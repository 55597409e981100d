"""How a project reviews, for its leads."""

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.review_settings import change
from annotate.forms.reviews import ReviewSettingsForm
from annotate.models import Project
from annotate.queries.reviews import settings_of


@project_access(Permission.CONFIGURE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Show and store the settings."""
    form = ReviewSettingsForm(request.POST or None, project=project, instance=settings_of(project))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        chosen = form.save(commit=False)
        change(chosen=chosen, share=data["share"], rules=data["rules"], rubric=data["rubric_lines"], by=request.user)
        messages.success(request, _("Saved. What is submitted from now on is chosen by these rules."))
        return redirect("reviews:settings", slug=project.slug)
    context = {"project": project, "form": form}
    return render(request, "annotate/reviews/settings.html", context, status=422 if form.errors else 200)
