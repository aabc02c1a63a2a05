import type { ReactNode } from 'react'
import type { FailingAnswer } from '../../../src/core/probing/failing-answer.ts'
import { t } from '../../language/language.ts'

/** The answer of a target: status line, headers and the beginning of the body. `headerOf` draws the value of a header. */
export function AnswerText({
  answer,
  headerOf = (_, value) => value,
}: {
  answer: FailingAnswer
  headerOf?: (name: string, value: string) => ReactNode
}) {
  const { status_line, headers, headers_left_out, body } = answer
  const count = headers.length + headers_left_out
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="font-mono text-sm break-words">{status_line}</p>
      {count > 0 && (
        <details>
          <summary className="min-h-9 w-fit py-1.5 text-sm text-soft hover:text-ink">
            {t('{count, plural, one {# response header} other {# response headers}}', { count })}
          </summary>
          <dl className="flex flex-col gap-1 pt-1 font-mono text-sm">
            {headers.map(({ name, value }, index) => (
              // A header may come twice with the same value.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <div key={index} className="break-words">
                <dt className="inline text-soft">{name}: </dt>
                <dd className="inline break-all">{headerOf(name, value)}</dd>
              </div>
            ))}
          </dl>
          {headers_left_out > 0 && (
            <p className="pt-1 text-sm text-soft">
              {t('{count, plural, one {# more is not kept.} other {# more are not kept.}}', {
                count: headers_left_out,
              })}
            </p>
          )}
        </details>
      )}
      <Body body={body} />
    </div>
  )
}

const WITHOUT_TEXT = {
  empty: t('The body is empty.'),
  binary: t('The body is binary and is not shown.'),
  unread: t('The body did not arrive in time, or could not be decoded.'),
} as const satisfies Record<Exclude<FailingAnswer['body']['kind'], 'text'>, string>

function Body({ body }: { body: FailingAnswer['body'] }) {
  if (body.kind !== 'text') return <p className="text-sm text-soft">{WITHOUT_TEXT[body.kind]}</p>
  return (
    <>
      <section
        aria-label={t('Response body')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto rounded border border-line bg-sunken p-3"
      >
        <pre className="font-mono text-sm break-words whitespace-pre-wrap">{body.text}</pre>
      </section>
      {body.is_cut && <p className="text-sm text-soft">{t('Only the beginning of the body is kept.')}</p>}
    </>
  )
}
