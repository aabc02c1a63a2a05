/** Marks between the parts of a title: `Not found | Site`. */
const PARTS = /\s+[|–—·•:»-]\s+|\s*[|–—·•»]\s*|:\s+/
/** A part that says nothing but that: `404`, `Error 404`, `404 Not Found`, `HTTP 404 - Seite`. A room may have the number 404. */
const CODE =
  /^(?:(?:http|error|fehler|erreur|oops|status|code)[\s:!-]*)*(?:404|410)(?:[\s:!-]*(?:error|fehler|erreur|page|seite|not found|nicht gefunden|gone))*[.!]*$/i
const PHRASE =
  '(?:not (?:be )?found|nicht gefunden|introuvable|non trouvée|no encontrada|non trovata|niet gevonden)'
const SUBJECT =
  '(?:page|pages|seite|site|página|pagina|document|file|content|url|article|artikel|product|produkt|the requested|die angeforderte)'
/** The words alone, or of a page. */
const WORDS = new RegExp(
  `^(?:(?:404|410|error|fehler)[\\s:!-]*)*(?:${PHRASE}|.{0,30}\\b${SUBJECT}\\b.{0,40}\\b${PHRASE})[.!\\s]*$`,
  'i',
)
/** `Page 404`: of a page, the number is a code. */
const PAGE_CODE = /^(?:page|seite|página|pagina)[\s:-]*404$/i

/** Whether a page says in its title that there is none. */
export function saysNotFound(title: string): boolean {
  return title
    .split(PARTS)
    .map((part) => part.trim())
    .some((part) => CODE.test(part) || WORDS.test(part) || PAGE_CODE.test(part))
}
