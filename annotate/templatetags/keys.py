"""The single keys of the comparison page, as this person has them."""

import json

from django import template

from annotate.models import User
from annotate.rules.keys import keys_of

register = template.Library()


@register.filter
def key_for(user: User, action: str) -> str:
    """Return the key of the action as it is shown: ``{{ user|key_for:"sync" }}`` gives S."""
    return keys_of(user.keys)[action].upper()


@register.filter
def key_map(user: User) -> str:
    """Return JSON of key to action, for the script."""
    return json.dumps({key: action for action, key in keys_of(user.keys).items()})
