/** Labels of the line with the end of a registration, in the words of registries, the most exact first. */
const LABELS = [
  'registry expiry date',
  'registrar registration expiration date',
  'expiration date',
  'expiration time',
  'expiry date',
  'expire date',
  'expires on',
  'expires at',
  'expires',
  'expire',
  'expire-date',
  'expiration',
  'expiry',
  'expired',
  'exp date',
  'paid-till',
  'paid till',
  'valid until',
  'validity',
  'valid-date',
  'renewal date',
  'renewal',
  'date renewal',
  'record expires on',
  'record will expire on',
  'record expired',
  'domain expires',
  'domain currently expires',
  'domain expiration date',
  'domain_datebilleduntil',
  'registered until',
  'free-date',
]

/** `label:`, `label...:`, `[label]`, and without a colon where the registry has none; with another language before it. */
const LINES = LABELS.map(
  (label) =>
    new RegExp(
      `^[ \\t%>*]*(?:[a-z]\\.?[ \\t]+(?=\\[)|[^\\r\\n:/]{1,40} / )?\\[?${label.replaceAll(' ', '[ _-]')}\\]?(?: \\(dd/mm/yyyy\\))?(?:[ \\t.]*:|\\.{2,}|[ \\t]+)[ \\t.]*(\\S[^\\r\\n]*)`,
      'im',
    ),
)
const BARE_LINES = LABELS.map(
  (label) => new RegExp(`^[ \\t]*${label}[ \\t]*:?[ \\t]*\\r?\\n[ \\t]+(\\S[^\\r\\n]*)`, 'im'),
)
/** The date stands behind the status: co.jp, and ua. */
const STATUS_LINES = [
  /^\[State\][ \t]+(?:registered|connected)[ \t]*\(([^)\r\n]*)\)/im,
  /^status:[ \t]*ok-until[ \t]+(\S+)/im,
]

/** Patterns of lines with the end of a registration; the first group is the date. */
export const EXPIRY_LINES = [...LINES, ...BARE_LINES, ...STATUS_LINES]

/** A registry that answers so did not look. It may add that it found nothing. */
export const REFUSED = anyLine([
  'too many (?:requests|queries|connections)\\b',
  '(?:quota|limit)\\b[^\\r\\n]{0,60}\\b(?:exceeded|reached)\\b',
  'exceeded\\b[^\\r\\n]{0,60}\\b(?:quota|limit)\\b',
  'excessive querying,',
  'maximum queries[^\\r\\n]{0,40}\\breached\\b',
  'still in grace period\\b',
  'try again later\\b',
  'access (?:is )?denied\\b',
  'request denied\\b',
  'not authori[sz]ed[.!]?[ \\t]*$',
  'blacklisted[.!]?[ \\t]*$',
  'please go away\\b',
  'requests of this client are not permitted\\b',
  'your request could not be performed\\b',
])

/** How registries say that nobody has a domain. */
export const UNREGISTERED = lineBeginning([
  'no match(?:ing)?\\b',
  'not found\\b',
  'not registered\\b',
  '(?:unfortunately, )?no (?:entries|data|objects?|domain|information|such domain|results|records?)[^\\r\\n]{0,60}\\bfound\\b',
  'no records matching\\b',
  'no such domain\\b',
  'no found\\b',
  'no[ _]se[ _]encontro',
  'nothing found\\b',
  'nincs tal[^\\r\\n]{1,4}lat\\b',
  'key not found\\b',
  'data not found\\b',
  'available[ \\t]*$',
  'domain(?: name)? not found\\b',
  '(?:domain )?status:[ \\t]*(?:free|available|not registered)\\b',
  'query_status:[ \\t]*220\\b',
  'domain status:[ \\t]*no object found\\b',
  'the queried object does not exist\\b',
  'the requested domain was not found\\b',
  'we could not find the requested domain\\b',
  'we do not have an entry in our database\\b',
  'there is no information available on the domain\\b',
  'this domain is not available in our whois database\\b',
  'object does not exist\\b',
  'object "[^"\\r\\n]*" not found\\b',
  'error:?[ \\t]*(?:\\d+:?[ \\t]*)?(?:no (?:entries|objects) found|domain is not registered)\\b',
  'this query returned 0 objects\\b',
  'no information available about domain name\\b',
  'invalid query or domain name not known\\b',
  '"?[a-z0-9.-]{1,80}"?:? (?:is free|no match|no existe|not found)\\.?[ \\t]*$',
  '[a-z0-9.-]{1,80} is available\\b',
  '[^\\r\\n]{0,80}\\b(?:is not|has not been) registered\\b',
  '(?:sorry, but |the )?domain[^\\r\\n]{1,80} (?:(?:was )?not found|is available|not registe?red|does not exist)',
])

function anyLine(words: readonly string[]): RegExp {
  return new RegExp(`^[^\\r\\n]{0,80}\\b(?:${words.join('|')})`, 'im')
}

function lineBeginning(words: readonly string[]): RegExp {
  return new RegExp(`^[ \\t%>*#-]*(?:${words.join('|')})`, 'im')
}
