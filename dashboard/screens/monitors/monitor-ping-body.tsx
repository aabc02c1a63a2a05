import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Waiting } from '../../parts/panel.tsx'
import type { Monitor, Ping } from './monitor-data.ts'

/** The body of a ping, fetched when it is opened. */
export function PingBody({ monitor, ping }: { monitor: Monitor; ping: Ping }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="ml-auto flex min-h-9 items-center gap-1 rounded px-1 text-sm"
      >
        <ChevronRight aria-hidden size={16} className={`shrink-0 text-soft ${isOpen ? 'rotate-90' : ''}`} />
        {t('{count, plural, one {# byte} other {# bytes}}', { count: ping.body_bytes })}
      </button>
      <div id={id} hidden={!isOpen} className="w-full min-w-0">
        {isOpen && <Content monitor={monitor} ping={ping} />}
      </div>
    </>
  )
}

function Content({ monitor, ping }: { monitor: Monitor; ping: Ping }) {
  const { id: team } = useTeam()
  const asked = { id: monitor.id, query: { at: ping.received_at } }
  // It never changes.
  const answer = useQuery({ ...question(team, 'getPingBody', asked), staleTime: Number.POSITIVE_INFINITY })
  if (answer.isPending) return <Waiting lines={2} />
  if (answer.isError) {
    return (
      <div className="py-2">
        <Refused error={answer.error} />
      </div>
    )
  }
  const { text } = answer.data.data
  if (text === null) return <p className="py-2 text-sm text-soft">{t('Binary content, not shown.')}</p>
  return (
    <section
      aria-label={t('Ping body')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded border border-line bg-sunken p-3"
    >
      <pre className="font-mono text-sm break-words whitespace-pre-wrap">{text}</pre>
    </section>
  )
}
