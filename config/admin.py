"""Which admin site Django uses."""

from django.contrib.admin.apps import AdminConfig


class TiebreakAdminConfig(AdminConfig):
    default_site = "annotate.admin_site.SuperuserSite"
