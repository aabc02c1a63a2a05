import { type Assertion, readsBody } from '../core/expectations/assertion.ts'
import type { JudgedAnswer } from '../core/expectations/evaluate.ts'
import { ofAnswer } from '../core/expectations/response-times.ts'
import { keywordMissing, undecodable, unknownEncoding } from '../core/monitors/cause.ts'
import { daysRemaining } from '../core/monitors/certificate.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import { codeOf, ownTrouble } from '../net/own-trouble.ts'
import { answered, type ProbeAttempt, unanswered } from './attempt.ts'
import { type BodyHead, readBody, searchBody } from './bodies/body.ts'
import { charsetOf, DECLARED_WITHIN_BYTES } from './bodies/charset.ts'
import { unknownEncodings } from './bodies/content-encoding.ts'
import { createTextSearch } from './bodies/text-search.ts'
import { answerFailure, type HttpAnswer } from './exchange.ts'
import { keepAnswerOf } from './failing-answer.ts'
import type { WebSettings } from './hop.ts'
import { meetAssertions } from './meet-assertions.ts'

const MAX_ENCODINGS_NAMED = 3

type Current = ProbeAttempt<WebSettings>

/** Reads something from an answer for what comes after it, before its assertions are judged. */
export type AnswerReader = {
  readsBody: boolean
  /** The cause, or a result of its own, where it is not there; else null. */
  read(answer: JudgedAnswer): Promise<string | CheckResult | null>
}

/** How an answer is judged. */
type Judging = { keyword: string | null; now: () => Date; reader?: AnswerReader | null }

/**
 * Judges an answer whose status is as it should be: its body must contain the keyword, if there is one, and every assertion be
 * met. The body is read if one of them asks for it, and no further than the keyword if only that does.
 */
export function judgeAnswer(
  current: Current,
  answer: HttpAnswer,
  judging: Judging,
): CheckResult | Promise<CheckResult> {
  const { options, shows_answer: isShown } = current.settings
  const wantsMore = judging.keyword !== null || judging.reader || isShown || options?.assertions
  return wantsMore ? judgeMore(current, answer, judging) : answered(current, null)
}

async function judgeMore(
  current: Current,
  answer: HttpAnswer,
  { keyword, now, reader = null }: Judging,
): Promise<CheckResult> {
  const { response } = answer
  const assertions = ofAnswer(current.settings.options?.assertions ?? [])
  const readsAll = readsBody(assertions) || reader?.readsBody === true
  if (keyword === null && !readsAll) return meet(current, answer, assertions, { body: null, now, reader })
  const headersAt = performance.now()
  const keeping = keepAnswerOf(current, answer)
  const read = readsAll
    ? await readBody(response, () => current.progress())
    : await searchBody(response, keyword ?? '', keeping.bytes, () => current.progress())
  if (keyword !== null) current.bodyRead(Math.round(performance.now() - headersAt))
  const unknown = unknownEncodings(response.headers['content-encoding'] ?? '')
  current.foundOdd(unknown.slice(0, MAX_ENCODINGS_NAMED).map(unknownEncoding))
  switch (read.kind) {
    case 'found':
      return meet(current, answer, assertions, { body: null, head: read.head, now, reader })
    case 'read': {
      if (keyword === null || isIn(read.bytes, answer, keyword))
        return meet(current, answer, assertions, { body: read.bytes, now, reader })
      const missing = answered(current, keywordMissing(keyword, read.bytes.length))
      return keeping.with(missing, beginningOf(read.bytes, keeping.bytes))
    }
    case 'absent':
      return keeping.with(answered(current, keywordMissing(keyword ?? '', read.bytes)), read.head)
    case 'undecodable':
      return keeping.with(answered(current, undecodable(read.encoding, read.why)), null)
    case 'broken': {
      const error = answer.brokenBy() ?? read.error
      const own = ownTrouble(codeOf(error))
      if (own !== null) return resultWithout('pending', own)
      const cause = answerFailure(error, answer.endpoint)
      return keeping.with(unanswered(current, cause), read.head)
    }
  }
}

function isIn(body: Buffer, { response }: HttpAnswer, keyword: string): boolean {
  const search = createTextSearch(keyword, response.headers['content-type'] ?? '')
  return search.add(body) || search.end()
}

function beginningOf(body: Buffer, kept: number) {
  return { bytes: body.subarray(0, kept), isWhole: body.length <= kept }
}

/** The result of an answer that passes but for its assertions. `head`: what was read of a body that was not read to its end. */
async function meet(
  current: Current,
  answer: HttpAnswer,
  assertions: readonly Assertion[],
  {
    body,
    head,
    now,
    reader,
  }: { body: Buffer | null; head?: BodyHead; now: () => Date; reader: AnswerReader | null },
): Promise<CheckResult> {
  const passing = answered(current, null)
  const { shows_answer: isShown } = current.settings
  if (assertions.length === 0 && !isShown && !reader) return passing
  const keeping = keepAnswerOf(current, answer)
  const withAnswer = (result: CheckResult) => {
    const known = body === null ? head : beginningOf(body, keeping.bytes)
    return known === undefined ? keeping.reading(result) : keeping.with(result, known)
  }
  const withShown = (result: CheckResult) => (isShown ? withAnswer(result) : result)
  const known = readFrom(passing, answer, body, now)
  const unread = (await reader?.read(known)) ?? null
  if (typeof unread === 'string') return withAnswer(answered(current, unread))
  if (unread) return unread
  if (assertions.length === 0) return withShown(passing)
  const result = await meetAssertions(current, passing, known)
  if (result.status === 'pending') return result
  return result.status === 'down' ? withAnswer(result) : withShown(result)
}

function readFrom(
  { httpStatusCode, responseTimeMs, certificate }: CheckResult,
  { response }: HttpAnswer,
  body: Buffer | null,
  now: () => Date,
): JudgedAnswer {
  return {
    statusCode: httpStatusCode,
    header: (name) => textOf(response.headersDistinct[name.toLowerCase()]),
    body: body && decoded(body, response.headers['content-type'] ?? ''),
    responseTimeMs,
    certificateDays: certificate && daysRemaining(certificate.expiresAt, now()),
    answer: null,
  }
}

/** Node reads header bytes as Latin-1; servers mean UTF-8. */
function textOf(values: readonly string[] | undefined): string | null {
  return values === undefined ? null : Buffer.from(values.join(', '), 'latin1').toString('utf8')
}

function decoded(body: Buffer, contentType: string): string {
  return new TextDecoder(charsetOf(contentType, body.subarray(0, DECLARED_WITHIN_BYTES))).decode(body)
}
