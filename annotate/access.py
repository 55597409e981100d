"""Who may do what, and who may see what. Nothing else in the code decides access.

A role gives a set of permissions in one project (``ROLE_PERMISSIONS``). Outsiders get 404, members without the
permission 403. Every view carries exactly one policy (``public``, ``signed_in``, ``site_admin`` or ``project_access``);
a test walks all URLs and fails for a view without one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from annotate.enums import AssignmentState, Role
from annotate.models import Annotation, Asset, Assignment, Membership, Project, Task, User

if TYPE_CHECKING:  # at run time it would ask for this very module's classes
    from rest_framework.views import APIView


class Permission(StrEnum):
    TAKE_TASKS = "take_tasks"
    SEE_GUIDELINES = "see_guidelines"
    SEE_ALL_ANNOTATIONS = "see_all_annotations"
    REVIEW = "review"
    IMPORT = "import"
    EXPORT = "export"
    EXPORT_NAMES = "export_names"
    CONFIGURE = "configure"
    SEE_MODELS = "see_models"
    SEE_QUALITY = "see_quality"


_ANNOTATOR = frozenset({Permission.TAKE_TASKS, Permission.SEE_GUIDELINES})
_REVIEWER = _ANNOTATOR | {Permission.SEE_ALL_ANNOTATIONS, Permission.REVIEW}
_LEAD = frozenset(Permission)
ROLE_PERMISSIONS: dict[str, frozenset[Permission]] = {
    Role.ANNOTATOR: _ANNOTATOR,
    Role.REVIEWER: _REVIEWER,
    Role.LEAD: _LEAD,
    Role.ADMIN: _LEAD,
}

Person = User | AnonymousUser


def role_in(user: Person, project: Project) -> str | None:
    """Return the person's role in the project, ``None`` for an outsider. A suspended member is an outsider."""
    if not user.is_authenticated or not user.is_active or project.deleted_at:
        return None
    if user.is_superuser:
        return Role.ADMIN
    membership = Membership.objects.filter(user=user, project=project, is_suspended=False).first()
    return membership.role if membership else None


def permissions_of(role: str | None) -> frozenset[Permission]:
    """Return what the role may do; nothing for ``None``."""
    return ROLE_PERMISSIONS.get(role or "", frozenset())


# ------------------------------------------------------------------------------------------------- visibility
def visible_projects(user: Person) -> QuerySet[Project]:
    """Return the projects that the person is in; all that exist for an admin."""
    projects = Project.objects.filter(deleted_at__isnull=True)
    if not user.is_authenticated or not user.is_active:
        return projects.none()
    if user.is_superuser:
        return projects
    return projects.filter(memberships__user=user, memberships__is_suspended=False)


def own_assignments(user: User, project: Project) -> QuerySet[Assignment]:
    """Return the person's own assignments in the project."""
    return Assignment.objects.filter(annotator=user, task__project=project)


def visible_annotations(user: User, project: Project) -> QuerySet[Annotation]:
    """Return the annotations that the person may read: all with ``SEE_ALL_ANNOTATIONS``, else their own."""
    annotations = Annotation.objects.filter(prompt__task__project=project)
    role = role_in(user, project)
    if Permission.SEE_ALL_ANNOTATIONS in permissions_of(role):
        return annotations
    return annotations.filter(annotator=user) if role else annotations.none()


def may_see_asset(user: User, task: Task, asset: Asset) -> bool:
    """Say whether the person may load the file as part of the task."""
    role = role_in(user, task.project)
    if role is None or not task.task_assets.filter(asset=asset).exists():
        return False
    if Permission.SEE_ALL_ANNOTATIONS in permissions_of(role):
        return True
    held = [AssignmentState.LIVE, AssignmentState.SUBMITTED, AssignmentState.RETURNED, AssignmentState.EXPIRED]
    return task.assignments.filter(Q(annotator=user), state__in=held).exists()


# ------------------------------------------------------------------------------------------------- page policies
@dataclass(frozen=True)
class Policy:
    """What a view asks for; ``permission`` only for pages of a project."""

    audience: str  # public | signed_in | site_admin | project
    permission: Permission | None = None


class SignedInRequest(HttpRequest):
    """A request of a person who is signed in."""

    user: User


class ProjectRequest(SignedInRequest):
    """A request of a member; ``project_access`` has filled these in."""

    project: Project
    role: str
    permissions: frozenset[Permission]


P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
SignedInView = Callable[Concatenate[SignedInRequest, P], HttpResponseBase]
ProjectView = Callable[Concatenate[ProjectRequest, Project, P], HttpResponseBase]


def _marked(view: Any, policy: Policy) -> Any:
    view.policy = policy
    return view


def public(view: View[P]) -> View[P]:
    """Everybody may call the view."""
    return _marked(view, Policy("public"))


def signed_in(view: SignedInView[P]) -> View[P]:
    """Any signed-in person may call the view."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _to_login(request)
        return view(cast(SignedInRequest, request), *args, **kwargs)

    return _marked(wrapped, Policy("signed_in"))


def site_admin(view: SignedInView[P]) -> View[P]:
    """Only admins may call the view; others get 403."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _to_login(request)
        if not request.user.is_superuser:
            raise PermissionDenied(_("Only admins may open this page."))
        return view(cast(SignedInRequest, request), *args, **kwargs)

    return _marked(wrapped, Policy("site_admin"))


def project_access(permission: Permission) -> Callable[[ProjectView[P]], View[P]]:
    """Let members with ``permission`` call ``view(request, project, …)``; the URL gives the project's slug."""

    def decorate(view: ProjectView[P]) -> View[P]:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _to_login(request)
            project = project_for(request.user, str(kwargs.pop("slug")), permission)
            member = cast(ProjectRequest, request)
            member.project = project
            member.role = role_in(request.user, project) or ""
            member.permissions = permissions_of(member.role)
            return view(member, project, *args, **kwargs)

        return _marked(wrapped, Policy("project", permission))

    return decorate


def project_for(user: Person, slug: str, permission: Permission) -> Project:
    """Return the project, or raise ``Http404`` for an outsider and ``PermissionDenied`` for a lesser role."""
    project = Project.objects.filter(slug=slug, deleted_at__isnull=True).first()
    role = role_in(user, project) if project else None
    if project is None or role is None:
        raise Http404(_("There is no such project, or you are not a member of it."))
    if permission not in permissions_of(role):
        text = _("Your role in %(project)s does not allow this. Ask a lead of the project.")
        raise PermissionDenied(text % {"project": project.name})
    return project


def _to_login(request: HttpRequest) -> HttpResponse:
    """Send a page to the sign-in form; tell a background request (htmx) with 401, so that its text is kept."""
    if request.headers.get("HX-Request"):
        return HttpResponse(_("Sign in again in a new tab; what you wrote is kept here."), status=401)
    return redirect_to_login(request.get_full_path())


# ------------------------------------------------------------------------------------------------- api policies
class NoAccess(BasePermission):
    """The default of the API: a view that names no policy answers nobody."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return False


class ProjectPermission(BasePermission):
    """Allow what the role in the project allows. The view says which permission by ``required_permission``;

    ``None`` there means that any signed-in person may call it and the queryset decides what they see. The project
    comes from the URL keyword ``slug``. Outsiders get 404, members without the permission 403.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        required: Permission | None = view.required_permission  # type: ignore[attr-defined]
        if not request.user.is_authenticated:
            return False
        if required is not None:
            project = project_for(request.user, view.kwargs["slug"], required)
            view.project = project  # type: ignore[attr-defined]
        return True
