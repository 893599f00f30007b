"""List the words of the synthetic grammar: English, with French and Italian translations.

Genders and participles were checked against the Lefff (French) and Morph-it! (Italian), as packed
in the npm packages ``french-words-gender-lefff``, ``french-verbs-lefff``, ``italian-words-dict``
and ``italian-verbs-dict``, version 3.4.0. Words with two genders, such as French *livre*, were
left out. In each language half of the nouns are feminine, and ten nouns differ in gender between
French and Italian.

References
----------
Sagot (2010), "The Lefff". Zanchetta and Baroni (2005), "Morph-it!".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["french", "italian"]
LANGUAGES: tuple[Language, ...] = ("french", "italian")

_VOWELS = tuple("aeiouàèéêîôù")

# English: French, its gender, Italian, its gender.
_NOUNS = """
apple: pomme f mela f               architecture: architecture f architettura f
table: table f tavolo m             flower: fleur f fiore m
key: clé f chiave f                 letter: lettre f lettera f
box: boîte f scatola f              chair: chaise f sedia f
lamp: lampe f lampada f             house: maison f casa f
window: fenêtre f finestra f        door: porte f porta f
plate: assiette f piatto m          shoe: chaussure f scarpa f
shirt: chemise f camicia f          bottle: bouteille f bottiglia f
spoon: cuillère f cucchiaio m       river: rivière f fiume m
mountain: montagne f montagna f     car: voiture f macchina f
tree: arbre m albero m              garden: jardin m giardino m
painting: tableau m quadro m        knife: couteau m coltello m
glass: verre m bicchiere m          coat: manteau m cappotto m
hat: chapeau m cappello m           bag: sac m borsa f
bread: pain m pane m                cheese: fromage m formaggio m
cake: gâteau m torta f              pencil: crayon m matita f
notebook: cahier m quaderno m       wall: mur m muro m
roof: toit m tetto m                bridge: pont m ponte m
boat: bateau m barca f              mirror: miroir m specchio m
paper: papier m carta f             carpet: tapis m tappeto m
"""

# English participle: French masculine, feminine; Italian masculine, feminine.
_VERBS = """
picked: ramassé ramassée raccolto raccolta
introduced: introduit introduite introdotto introdotta
found: trouvé trouvée trovato trovata
sold: vendu vendue venduto venduta
bought: acheté achetée comprato comprata
painted: peint peinte dipinto dipinta
broken: cassé cassée rotto rotta
opened: ouvert ouverte aperto aperta
hidden: caché cachée nascosto nascosta
forgotten: oublié oubliée dimenticato dimenticata
cleaned: nettoyé nettoyée pulito pulita
chosen: choisi choisie scelto scelta
"""

# Prepositions that do not contract with the article, in either language.
_PREPOSITIONS = """
under: sous sotto
behind: derrière dietro
against: contre contro
with: avec con
without: sans senza
towards: vers verso
"""

#: "had been", masculine and feminine: in Italian the auxiliary agrees as well.
AUXILIARY: dict[Language, tuple[str, str]] = {
    "french": ("avait été", "avait été"),
    "italian": ("era stato", "era stata"),
}


@dataclass(frozen=True)
class Word:
    """An English word with its translation into one language.

    ``forms`` are masculine and feminine for a verb, and one form for any other word.
    """

    english: str
    forms: tuple[str, ...]
    feminine: bool = False


def nouns(language: Language) -> tuple[Word, ...]:
    """Return the nouns, translated with their article: ``la pomme``, ``l'arbre``."""
    return tuple(
        _noun(entry, language) for entry in _NOUNS.replace("  ", "\n").splitlines() if entry.strip()
    )


def verbs(language: Language) -> tuple[Word, ...]:
    """Return the participles, translated as (masculine, feminine)."""
    start = 2 * LANGUAGES.index(language)
    return tuple(Word(e, tuple(forms[start : start + 2])) for e, forms in _entries(_VERBS))


def prepositions(language: Language) -> tuple[Word, ...]:
    """Return the prepositions."""
    at = LANGUAGES.index(language)
    return tuple(Word(english, (forms[at],)) for english, forms in _entries(_PREPOSITIONS))


def _entries(table: str) -> list[tuple[str, list[str]]]:
    lines = (line.split(":") for line in table.split("\n") if line.strip())
    return [(english.strip(), forms.split()) for english, forms in lines]


def _noun(entry: str, language: Language) -> Word:
    english, forms = _entries(entry)[0]
    start = 2 * LANGUAGES.index(language)
    noun, feminine = forms[start], forms[start + 1] == "f"
    article = (
        _french_article(noun, feminine)
        if language == "french"
        else _italian_article(noun, feminine)
    )
    return Word(english, (article + noun,), feminine)


def _french_article(noun: str, feminine: bool) -> str:
    if noun.startswith(_VOWELS):
        return "l'"
    return "la " if feminine else "le "


def _italian_article(noun: str, feminine: bool) -> str:
    if noun.startswith(_VOWELS):
        return "l'"
    if feminine:
        return "la "
    hard = noun[0] == "z" or (noun[0] == "s" and noun[1] not in "aeiou")
    return "lo " if hard else "il "
