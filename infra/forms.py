"""Form bases with the type of their model: `TypedModelForm[Report]`, `TypedModelChoiceField[Entry]`.

Django's own classes are generic for the type checker, but cannot be subscripted when the site runs.
"""

from typing import TYPE_CHECKING

from django import forms

if TYPE_CHECKING:
    TypedModelForm = forms.ModelForm
    TypedModelChoiceField = forms.ModelChoiceField
else:

    class TypedModelForm(forms.ModelForm):
        def __class_getitem__(cls, model: type) -> type:
            return cls

    class TypedModelChoiceField(forms.ModelChoiceField):
        def __class_getitem__(cls, model: type) -> type:
            return cls
