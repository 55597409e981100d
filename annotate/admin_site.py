"""The administration, for admins alone."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest


class SuperuserSite(AdminSite):
    site_header = site_title = "Tiebreak administration"
    index_title = "Records"

    def has_permission(self, request: HttpRequest) -> bool:
        """Admins only; being staff is not enough."""
        return bool(request.user.is_active and request.user.is_superuser)
