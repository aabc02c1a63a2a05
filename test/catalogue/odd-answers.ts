import zlib from 'node:zlib'

/**
 * The result of reading an answer: `read` (its status and its text, OK), `head` (its status only, since the text breaks
 * off or is another), or `refused`.
 */
export type Reading = 'read' | 'head' | 'refused'

/** An answer that is not as it should be, or might be thought so. All three read it unless it says otherwise. */
export type OddAnswer = {
  name: string
  /** In Latin-1: each character is a byte. */
  answer: string
  status: number
  ours: Reading
  curl: Reading
  chromium: Reading
  /** The list in the note of a check that passes, or the cause of one that fails. */
  says: string | null
  /** Why they differ, where they do. */
  reason: string | null
}

const OK = 'HTTP/1.1 200 OK\r\n'
const LENGTH = 'Content-Length: 2\r\n'
const BODY = '\r\nOK'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const CHUNKS = '\r\n2\r\nOK\r\n0\r\n\r\n'
const GZIP = zlib.gzipSync('OK').toString('latin1')

const NOT_CURL = 'curl refuses it'
const BROWSERS_ONLY = 'a monitor asks for what browsers and curl both take'

type Differences = Partial<Omit<OddAnswer, 'name' | 'answer'>>

const odd = (name: string, answer: string, differences: Differences = {}): OddAnswer => ({
  name,
  answer,
  status: 200,
  ours: 'read',
  curl: 'read',
  chromium: 'read',
  says: null,
  reason: null,
  ...differences,
})
const header = (name: string, line: string, says: string | null = null, differences: Differences = {}) =>
  odd(name, `${OK}${LENGTH}${line}\r\n${BODY}`, { says, ...differences })
const statusLine = (line: string, says: string | null = null, differences: Differences = {}) =>
  odd(`status line: ${line.replaceAll('\0', '\\0')}`, `${line}\r\n${LENGTH}${BODY}`, { says, ...differences })
const coding = (name: string, line: string, says: string | null = null, differences: Differences = {}) =>
  odd(name, `${OK}${line}\r\n${LENGTH}${BODY}`, { says, ...differences })

const refusedByAll = { ours: 'refused', curl: 'refused', chromium: 'refused' } as const
const chromiumOnly = {
  ours: 'refused',
  curl: 'refused',
  reason: `${BROWSERS_ONLY}, and ${NOT_CURL}`,
} as const
/** The oddities that several answers show. */
const ODD = {
  statusLine: 'an odd status line',
  control: 'control characters in a header',
  names: 'odd names of headers',
  lf: 'lines that end with LF only',
  folded: 'folded header lines',
  whiteSpace: 'white space before a colon',
  twice: 'Content-Length given twice',
  noNumber: 'a Content-Length that is no number',
  coding: 'an odd Transfer-Encoding',
  beside: 'Content-Length beside chunked',
} as const
const TO_THE_END =
  'curl knows no such coding; like a browser, a check reads to the length or the end (RFC 9112, section 6.3)'
const IDENTITY =
  'curl refuses codings it does not know when it is told to decode; browsers show the text as it is'

export const ODD_ANSWERS: OddAnswer[] = [
  odd('as it should be', `${OK}${LENGTH}${BODY}`),
  odd('as it should be, in chunks', `${OK}${CHUNKED}${CHUNKS}`),
  odd('no header at all', `${OK}${BODY}`),

  header('a control character in a cookie', 'Set-Cookie: x=a\x01b', ODD.control),
  header('the last control character', 'X-A: a\x1fb', ODD.control),
  header('a DEL', 'X-A: a\x7fb', ODD.control),
  header('a vertical tab', 'X-A: a\x0bb', ODD.control),
  header('a CR within a value', 'X-A: a\rb', ODD.control),
  header('a NUL in a value', 'X-A: a\0b', 'NUL in the header', refusedByAll),
  header('a NUL in a name', 'X\0A: b', 'NUL in the header', refusedByAll),
  header('UTF-8 in a value', 'X-A: \xc3\xa0'),
  header('Latin-1 in a value', 'X-A: \xe9'),

  odd('LF in the place of CR LF', 'HTTP/1.1 200 OK\nContent-Length: 2\nX-A: b\n\nOK', { says: ODD.lf }),
  odd('LF behind one header', `${OK}X-A: b\n${LENGTH}${BODY}`, { says: ODD.lf }),
  odd('LF for the empty line', `${OK}${LENGTH}\nOK`, { says: ODD.lf }),
  odd('LF behind the status line', `HTTP/1.1 200 OK\n${LENGTH}${BODY}`, { says: ODD.lf }),
  odd('CR in the place of CR LF', 'HTTP/1.1 200 OK\rContent-Length: 2\r\rOK', {
    ours: 'refused',
    curl: 'refused',
    chromium: 'head',
    says: 'Missing expected LF after header value',
    reason: `all of it is one line: Chromium finds the status in it, and ${NOT_CURL}`,
  }),
  odd('CR CR LF', 'HTTP/1.1 200 OK\r\r\nContent-Length: 2\r\r\n\r\r\nOK', {
    says: 'lines that end with two CR',
    chromium: 'head',
    reason: 'Chromium finds the status and no text; the lines are plain to see',
  }),

  header('a folded line', 'X-A: b\r\n c', ODD.folded),
  header('a line folded with a tab', 'X-A: b\r\n\tc', ODD.folded),
  header('a line folded before its value', 'X-A:\r\n c', ODD.folded),
  header('a fold with nothing in it', 'X-A: b\r\n ', ODD.folded),
  odd('a folded length', `${OK}Content-Length:\r\n 2\r\n${BODY}`, {
    says: ODD.folded,
    curl: 'refused',
    reason: 'RFC 9112, section 5.2: a fold is white space, of whichever header; curl reads this one before',
  }),
  odd('a folded transfer coding', `${OK}Transfer-Encoding:\r\n chunked\r\n${CHUNKS}`, { says: ODD.folded }),
  odd('a fold of the status line', `${OK} X-A: b\r\n${LENGTH}${BODY}`, {
    ...chromiumOnly,
    says: 'Unexpected space after start line',
  }),

  header('a space before the colon', 'X-A : b', ODD.whiteSpace),
  header('a tab before the colon', 'X-A\t: b', ODD.whiteSpace),
  odd('a space before the colon of the length', `${OK}Content-Length : 2\r\n${BODY}`, {
    says: ODD.whiteSpace,
  }),
  odd('a space before the colon of the coding', `${OK}Transfer-Encoding : chunked\r\n${CHUNKS}`, {
    says: ODD.whiteSpace,
  }),
  header('a space within a name', 'X A: b', ODD.names),
  header('parentheses in a name', 'X(A): b', ODD.names),
  header('an at sign in a name', 'X@A: b', ODD.names),
  header('brackets in a name', 'X[a]: b', ODD.names),
  header('a slash in a name', 'a/b: b', ODD.names),
  header('UTF-8 in a name', 'X-\xc3\xa9: b', ODD.names),
  header('a control character in a name', 'X\x01A: b', ODD.names),
  header('no name', ': b', ODD.names),
  header('no colon', 'nonsense', 'Header without colon', chromiumOnly),
  header('words of a program among the headers', '<b>Warning</b>', 'Header without colon', chromiumOnly),
  header('no value', 'X-A:'),
  odd('no space behind the colon', `${OK}Content-Length:2\r\n${BODY}`),
  odd('spaces behind the length', `${OK}Content-Length: 2  \r\n${BODY}`),
  header('500 headers of one name', Array(500).fill('X-A: b').join('\r\n')),
  header('two locations', 'Location: /a\r\nLocation: /b', null, {
    chromium: 'refused',
    reason: 'an expected status is up whatever the other headers are; Chromium fears an attack',
  }),
  header('two content types', 'Content-Type: text/html\r\nContent-Type: text/plain'),
  header('an upgrade that is offered', 'Connection: Upgrade\r\nUpgrade: h2c'),

  coding('the same length twice', 'Content-Length: 2', ODD.twice),
  odd('the same length twice in one line', `${OK}Content-Length: 2, 2\r\n${BODY}`, { says: ODD.twice }),
  coding('the same length twice, written otherwise', 'Content-Length: 02', 'Duplicate Content-Length', {
    ours: 'refused',
    chromium: 'refused',
    reason: 'Chromium compares the digits; two lengths are down unless both read them as one',
  }),
  coding('two lengths', 'Content-Length: 3', 'Duplicate Content-Length', {
    ours: 'refused',
    chromium: 'refused',
    reason: 'two lengths contradict each other (RFC 9112, section 6.3); curl takes the last',
  }),
  odd('two lengths in one line', `${OK}Content-Length: 2, 3\r\n${BODY}`, {
    ours: 'refused',
    chromium: 'refused',
    says: 'Duplicate Content-Length',
    reason: 'two lengths contradict each other (RFC 9112, section 6.3); curl stops at the comma',
  }),
  odd('a length with a sign', `${OK}Content-Length: +2\r\n${BODY}`, { says: ODD.noNumber }),
  odd('a length with letters', `${OK}Content-Length: 2abc\r\n${BODY}`, { says: ODD.noNumber }),
  odd('a length with a fraction', `${OK}Content-Length: 2.0\r\n${BODY}`, { says: ODD.noNumber }),
  odd('a length with a semicolon', `${OK}Content-Length: 2;\r\n${BODY}`, { says: ODD.noNumber }),
  odd('a length beyond all numbers', `${OK}Content-Length: ${'9'.repeat(23)}\r\n${BODY}`, {
    says: ODD.noNumber,
  }),
  odd('a length below zero', `${OK}Content-Length: -1\r\n${BODY}`, {
    ...chromiumOnly,
    says: 'Invalid character in Content-Length',
  }),
  odd('an empty length', `${OK}Content-Length:\r\n${BODY}`, {
    ...chromiumOnly,
    says: 'Empty Content-Length',
  }),
  odd('a word for a length', `${OK}Content-Length: abc\r\n${BODY}`, {
    ...chromiumOnly,
    says: 'Invalid character in Content-Length',
  }),
  odd('a length beside chunks', `${OK}Content-Length: 5\r\n${CHUNKED}${CHUNKS}`, { says: ODD.beside }),
  odd('a length behind chunks', `${OK}${CHUNKED}Content-Length: 5\r\n${CHUNKS}`, { says: ODD.beside }),
  odd('two lengths beside chunks', `${OK}${CHUNKED}Content-Length: 5\r\nContent-Length: 6\r\n${CHUNKS}`, {
    says: ODD.beside,
  }),
  odd('more than the length says', `${OK}${LENGTH}${BODY}and more`),
  odd('less than the length says', `${OK}Content-Length: 10\r\n${BODY}`, {
    curl: 'head',
    chromium: 'head',
    reason: 'the text is found as it arrives; what follows it is not read any more',
  }),

  odd('chunked with a capital', `${OK}Transfer-Encoding: Chunked\r\n${CHUNKS}`),
  odd('chunked twice', `${OK}${CHUNKED}${CHUNKED}${CHUNKS}`, { says: ODD.coding }),
  odd('chunked twice in one line', `${OK}Transfer-Encoding: chunked, chunked\r\n${CHUNKS}`, {
    says: ODD.coding,
  }),
  odd('chunked and a comma', `${OK}Transfer-Encoding: chunked,\r\n${CHUNKS}`, { says: ODD.coding }),
  odd('identity, then chunked', `${OK}Transfer-Encoding: identity, chunked\r\n${CHUNKS}`, {
    says: ODD.coding,
  }),
  odd('chunked, then identity', `${OK}Transfer-Encoding: chunked, identity\r\n${CHUNKS}`, {
    says: ODD.coding,
  }),
  coding('the transfer coding identity', 'Transfer-Encoding: identity', ODD.coding),
  odd('the transfer coding identity alone', `${OK}Transfer-Encoding: identity\r\n${BODY}`, {
    says: ODD.coding,
  }),
  coding('the transfer coding none', 'Transfer-Encoding: none', ODD.coding),
  coding('an empty transfer coding', 'Transfer-Encoding:', ODD.coding),
  coding('a charset for a transfer coding', 'Transfer-Encoding: utf-8', ODD.coding, {
    curl: 'refused',
    reason: TO_THE_END,
  }),
  coding('the transfer coding binary', 'Transfer-Encoding: binary', ODD.coding, {
    curl: 'refused',
    reason: TO_THE_END,
  }),
  odd('chunked in HTTP/1.0', `HTTP/1.0 200 OK\r\n${CHUNKED}${CHUNKS}`),
  odd('chunks with LF', `${OK}${CHUNKED}\r\n2\nOK\n0\n\n`),
  odd('a space behind the size of a chunk', `${OK}${CHUNKED}\r\n2 \r\nOK\r\n0\r\n\r\n`),
  odd('an extension of a chunk', `${OK}${CHUNKED}\r\n2;a=b\r\nOK\r\n0\r\n\r\n`),
  odd('a trailer', `${OK}${CHUNKED}\r\n2\r\nOK\r\n0\r\nX-A: b\r\n\r\n`),
  odd('an odd trailer', `${OK}${CHUNKED}\r\n2\r\nOK\r\n0\r\nX A : b\x01\r\n\r\n`),
  odd('no last chunk', `${OK}${CHUNKED}\r\n2\r\nOK\r\n`, {
    curl: 'head',
    chromium: 'head',
    reason: 'the text is found as it arrives; what follows it is not read any more',
  }),
  odd('chunked in name only', `${OK}${CHUNKED}${BODY}`, {
    ours: 'head',
    curl: 'head',
    chromium: 'head',
    says: 'Invalid character in chunk size',
  }),

  statusLine('HTTP/1.1 200'),
  statusLine('HTTP/1.1 200 '),
  statusLine('HTTP/1.1  200  OK', ODD.statusLine),
  statusLine('http/1.1 200 OK', ODD.statusLine),
  statusLine('Http/1.1 200 OK', ODD.statusLine),
  statusLine('HTTP/1.1 200OK', ODD.statusLine),
  statusLine('HTTP/1.1 200-OK', ODD.statusLine),
  statusLine('HTTP/1.1 200: OK', ODD.statusLine),
  statusLine('HTTP/1.1 200 \xc3\x9c'),
  statusLine('HTTP/1.1 200 O\x01K'),
  statusLine('HTTP/1.1 200 O\0K', 'NUL in the header', refusedByAll),
  statusLine('HTTP/2.0 200 OK', 'HTTP/2.0 in the status line'),
  statusLine('HTTP/2 200 OK', 'HTTP/2 in the status line'),
  statusLine('HTTP/0.9 200 OK', 'HTTP/0.9 in the status line', {
    curl: 'refused',
    reason: 'it has always been up, and browsers take it',
  }),
  statusLine('HTTP/1 200 OK', 'Invalid HTTP version', chromiumOnly),
  statusLine('HTTP/1.2 200 OK', 'Invalid HTTP version', chromiumOnly),
  statusLine('HTTP/1.10 200 OK', 'Invalid HTTP version', chromiumOnly),
  statusLine('HTTP/3.0 200 OK', 'Invalid HTTP version', chromiumOnly),
  statusLine('HTTP 200 OK', 'Invalid status line', chromiumOnly),
  statusLine('HTTP/1.1\t200\tOK', 'Invalid status line', chromiumOnly),
  statusLine('HTTP/1.1 "200" OK', 'Invalid status line', chromiumOnly),
  statusLine('HTTP/1.1', 'Invalid status line', chromiumOnly),
  statusLine('HTTP/1.1 0200 OK', 'Invalid status line', chromiumOnly),
  statusLine('HTTP/1.1 2000 OK', 'Invalid status line', { ...chromiumOnly, status: 2000 }),
  statusLine('HTTP/1.1 20 OK', 'Invalid status line', { ...chromiumOnly, status: 20 }),
  statusLine('HTTP/1.1 099 OK', null, {
    status: 99,
    curl: 'refused',
    reason: 'it has a status, which nobody expects: down with HTTP 099',
  }),
  statusLine('HTTP/1.1 700 OK', null, { status: 700 }),
  statusLine('HTTP/1.1 999 OK', null, { status: 999 }),
  statusLine('ICY 200 OK', 'Expected HTTP/, RTSP/ or ICE/', {
    ...refusedByAll,
    chromium: 'read',
    reason: 'Chromium takes all of it for the text of an answer of HTTP/0.9',
  }),
  statusLine('RTSP/1.0 200 OK', 'Expected HTTP/', refusedByAll),
  odd('an empty line before the answer', `\r\n${OK}${LENGTH}${BODY}`, {
    says: 'empty lines before the status line',
    curl: 'refused',
    reason: 'it has always been up, and browsers take it',
  }),
  odd('a space before the answer', ` ${OK}${LENGTH}${BODY}`, {
    ...chromiumOnly,
    says: 'Expected HTTP/, RTSP/ or ICE/',
  }),
  odd('a byte order mark before the answer', `\xef\xbb\xbf${OK}${LENGTH}${BODY}`, {
    ...chromiumOnly,
    says: 'Expected HTTP/, RTSP/ or ICE/',
  }),
  odd('text without a head', '<html>OK</html>', {
    ...refusedByAll,
    says: 'Expected HTTP/, RTSP/ or ICE/',
  }),
  odd('the end of the connection within the head', `${OK}X-A: b\r\n`, {
    ours: 'refused',
    curl: 'head',
    chromium: 'head',
    says: 'connection closed before the answer was complete',
    reason: 'an answer cut short is no answer (RFC 9112, section 8): what is missing may be all that matters',
  }),
  odd('an odd interim answer', `HTTP/1.1 103 Early\r\nX A: b\x01\r\n\r\n${OK}${LENGTH}${BODY}`, {
    says: `${ODD.names}, ${ODD.control}`,
  }),
  odd('an interim answer with LF', `HTTP/1.1 100 Continue\n\n${OK}${LENGTH}${BODY}`, { says: ODD.lf }),
  odd('an interim answer that nobody knows', `HTTP/1.1 199 Odd\r\n\r\n${OK}${LENGTH}${BODY}`),
  odd('everything at once', `http/1.1  200OK\nX A\t: b\x01\n c\nContent-Length: 2\nContent-Length: 2\n\nOK`, {
    says: `${ODD.lf}, ${ODD.statusLine}, ${ODD.whiteSpace}, ${ODD.names}, ${ODD.folded}, ${ODD.control}, ${ODD.twice}`,
  }),

  ...['none', 'utf-8', 'UTF-8', 'binary', 'chunked', 'aws-chunked', 'base64'].map((said) =>
    coding(`the content coding ${said}`, `Content-Encoding: ${said}`, `unknown Content-Encoding: ${said}`, {
      ...(said !== 'none' && { curl: 'refused', reason: IDENTITY }),
    }),
  ),
  coding('the content coding identity', 'Content-Encoding: identity'),
  coding('an empty content coding', 'Content-Encoding:'),
  odd('gzip', `${OK}Content-Encoding: gzip\r\n\r\n${GZIP}`),
  odd('gzip beside an unknown coding', `${OK}Content-Encoding: aws-chunked,gzip\r\n\r\n${GZIP}`, {
    says: 'unknown Content-Encoding: aws-chunked',
    curl: 'refused',
    chromium: 'head',
    reason:
      'Amazon S3 sends it with what was uploaded so; Chromium decodes nothing then, and curl refuses it',
  }),
  coding(
    'gzip that is none',
    'Content-Encoding: gzip',
    'answer could not be decoded (gzip: incorrect header check)',
    {
      ours: 'head',
      curl: 'refused',
      chromium: 'head',
      reason: 'nobody can read it; curl has written nothing by then',
    },
  ),
]
