/*
 * Places that look into a sentence, and why that is right there. Sentences of our own are `{ text, values }`, or have a code
 * beside them; a place that compares their English breaks once somebody words them better.
 */
const SENTENCE = String.raw`(?:\w*[mM]essage|\w*[cC]ause|\w*[rR]eason|detail|fault|faults|sentence|cutShort|cut_short)`
/** The sentence stands in a lookbehind: otherwise each word of the sources would be tried as the end of one. */
const LOOKS_INTO = [
  new RegExp(
    String.raw`(?<=\b${SENTENCE})\??\.(?:startsWith|endsWith|includes|match|matchAll|search|split|slice|replace|replaceAll|indexOf)\(`,
  ),
  new RegExp(String.raw`\.test\((?:\w+\.)*${SENTENCE}\)`),
  new RegExp(String.raw`(?<=\b${SENTENCE}) [!=]== (?:'[a-z]+ [^']*'|[A-Z]+_[A-Z_]+\b)`),
  /position\(.* IN |split_part\((?:cut_short|cause|error_message|detail)/,
]

/** Words of others, which have no code: file of src or of the dashboard -> whose they are. */
export const SENTENCES_OF_OTHERS: Readonly<Record<string, string>> = {
  'src/probes/browser/look-at-page.ts': 'errors of Playwright and Chromium have no other codes',
  'dashboard/parts/alerting/delivery.tsx': 'the answer of a receiver, which may name its status',
  'dashboard/screens/incidents/incident-timeline.tsx': 'the answer of a receiver, which may name its status',
  'src/cli/apply/declaration-file.ts':
    'messages of the API, which begin with their field and may name a secret',
  'src/cli/flags.ts': 'messages of the API, which begin with their field',
  'src/core/accounts/mail-test-advice.ts': 'the answer of a mail server',
  'src/core/alerting/advised.ts': 'the answer of a receiver',
  'src/core/alerting/delivery-log.ts':
    'the public document of a delivery has no code, and takes no new member',
  'src/core/servers/inputs/standard-inputs.ts': 'the name of a message of Protocol Buffers',
  'src/core/sites/crawl-digest.ts': 'stored findings have the status in their sentence only',
  'src/core/sites/cut-reason.ts': 'rows of before there were codes',
  'src/core/sites/crawl/sitemap-xml.ts': 'an error of the XML parser',
  'src/imports/json.ts': 'an error of a parser',
  'src/net/odd-head.ts': 'the reason phrase of a response',
  'src/net/tls/tls-failure.ts': 'an error of OpenSSL',
  'src/postgres/database-refusal.ts': 'an error of the driver of PostgreSQL',
  'src/postgres/embedded/connect.ts': 'an error of PostgreSQL',
  'src/postgres/server-check.ts': 'an error of the driver of PostgreSQL',
  'src/probes/icmp/libc.ts': 'an error of the loader of libraries',
}

/** The lines of a source that look into a sentence. */
export function sentencesTakenApart(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => LOOKS_INTO.some((pattern) => pattern.test(line)))
    .map((line) => line.trim())
}
