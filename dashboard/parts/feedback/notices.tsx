import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'

const SHOWN_MS = 6_000
/** Long enough to see what went, and to regret it. */
const UNDO_SHOWN_MS = 15_000

type Notice = { id: number; text: string; tone: 'done' | 'problem'; undo?: Undo | undefined }
/** Takes back what a notice tells. */
export type Undo = () => Promise<void>
type Say = { done: (text: string, undo?: Undo) => void; problem: (error: unknown) => void }

const NoticeContext = createContext<Say>({ done: () => {}, problem: () => {} })

/** Shows for a moment how something ended; screen readers announce it too. Content below it stays clickable. */
export function useNotices(): Say {
  return useContext(NoticeContext)
}

export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([])
  const remove = useCallback(
    (id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)),
    [],
  )
  const add = useCallback(
    (text: string, tone: Notice['tone'], undo?: Undo) => {
      const id = performance.now()
      setNotices((all) => [...all.slice(-2), { id, text, tone, undo }])
      setTimeout(() => remove(id), undo ? UNDO_SHOWN_MS : SHOWN_MS)
    },
    [remove],
  )
  const say = useMemo<Say>(
    () => ({
      done: (text, undo) => add(text, 'done', undo),
      problem: (error) => add(sayProblem(error), 'problem'),
    }),
    [add],
  )
  return (
    <NoticeContext value={say}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 bottom-32 z-50 lg:bottom-4 flex flex-col items-center gap-2 md:items-end"
      >
        {notices.map(({ id, text, tone, undo }) => (
          <div
            key={id}
            className={`flex max-w-lg items-center gap-3 rounded-lg border bg-panel px-4 py-3 shadow-float ${
              tone === 'problem' ? 'border-down' : 'border-line'
            }`}
          >
            <span aria-hidden className={tone === 'problem' ? 'text-down' : 'text-up'}>
              {tone === 'problem' ? '✕' : '✓'}
            </span>
            <span>{text}</span>
            {undo && (
              <button
                type="button"
                className="pointer-events-auto -my-2 py-2 font-medium underline"
                onClick={() => {
                  remove(id)
                  undo().catch(say.problem)
                }}
              >
                {t('Undo')}
              </button>
            )}
            <button
              type="button"
              className="pointer-events-auto -m-2 p-2 text-soft hover:text-ink"
              onClick={() => remove(id)}
            >
              <span className="sr-only">{t('Dismiss')}</span>
              <span aria-hidden>×</span>
            </button>
          </div>
        ))}
      </div>
    </NoticeContext>
  )
}
