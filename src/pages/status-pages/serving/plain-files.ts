import { DOCUMENT_HEADERS } from '../../../core/document-headers.ts'
import type { PageLanguage } from '../../../core/language/page-languages.ts'
import { PAGE_FILES } from '../files.ts'
import { PLAIN_LOOK, statusPageHeaders } from '../look.ts'
import { type PasswordFault, renderNotFound, renderPasswordForm, renderUnavailable } from '../plain-pages.ts'
import { createReadyFile, type ReadyFile } from './ready-file.ts'

/** Answers that are the same for all pages: our files, and what tells nothing of any page. */

const files = new Map(
  PAGE_FILES.map(({ path, type, content }) => [
    path,
    createReadyFile(Buffer.from(content), {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      ...DOCUMENT_HEADERS.shared,
    }),
  ]),
)

export function fileAt(path: string): ReadyFile | null {
  return files.get(path) ?? null
}

const PLAIN = {
  ...statusPageHeaders(PLAIN_LOOK),
  'cache-control': 'no-store',
  vary: 'accept-encoding, accept-language',
}

const notFound = new Map<PageLanguage, ReadyFile>()

export function notFoundFile(language: PageLanguage): ReadyFile {
  const known = notFound.get(language) ?? createReadyFile(renderNotFound(language), PLAIN, 404)
  notFound.set(language, known)
  return known
}

const PASSWORD_STATUS = { null: 403, wrong: 403, tooMany: 429 } as const

/** `headers` are those of a refusal. */
export function passwordFile(
  language: PageLanguage,
  base: string,
  fault: PasswordFault | null,
  headers: Record<string, string> = {},
): ReadyFile {
  const form = renderPasswordForm({ language, base }, fault)
  return createReadyFile(
    form,
    { ...PLAIN, ...headers, 'cache-control': 'private, no-store' },
    PASSWORD_STATUS[`${fault}`],
  )
}

const RETRY = { 'retry-after': '10' }

export function unavailableFile(language: PageLanguage, base: string): ReadyFile {
  return createReadyFile(renderUnavailable({ language, base }), { ...PLAIN, ...RETRY }, 503)
}

/** The answer to programs, which no person reads. */
export function unavailableText(): ReadyFile {
  const headers = {
    ...RETRY,
    ...DOCUMENT_HEADERS.own,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  }
  return createReadyFile('This cannot be read at the moment. Try again in a minute.\n', headers, 503)
}
