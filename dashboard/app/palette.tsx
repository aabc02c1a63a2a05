import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import {
  SUBJECT_KINDS,
  SUBJECT_NAMES,
  type SubjectKind,
  type SubjectRef,
} from '../../src/core/maintenance/subject-kind.ts'
import { type LiveStatus, liveStatus } from '../../src/core/monitors/status.ts'
import { useTeam } from '../data/session.ts'
import { hintOf, useFoundPages } from '../data/subjects/found-subjects.ts'
import { pageOfSubject } from '../data/subjects/shown-kinds.ts'
import { t } from '../language/language.ts'
import { StatusMark } from '../parts/monitors/status.tsx'
import { actionsFor } from './palette-actions.ts'

const SHOWN = 6
const ITEM = 'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-sunken'
const GROUP =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft'

/** Finds a monitor, a server, a site or an action by a few letters. The service searches all but the actions. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { id, may } = useTeam()
  const team = String(id)
  const navigate = useNavigate()
  const ref = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState('')
  /** Enter was pressed before the search was answered. */
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    ref.current?.showModal()
    // The dialog itself would give the focus to the box around the input.
    input.current?.focus()
  }, [])
  const { groups, isWaiting } = useFoundSubjects(id, text.trim())
  const [firstFound] = groups.flatMap(({ rows }) => rows)
  const actions = actionsFor(may).filter(({ label }) =>
    label.toLowerCase().includes(text.trim().toLowerCase()),
  )

  // Enter takes the first result, even one that arrives while the box is open.
  const first = firstFound ? keyOf(firstFound) : (actions[0]?.to ?? '')
  useEffect(() => setAt(first), [first])

  function open(subject: SubjectRef) {
    ref.current?.close()
    void navigate(pageOfSubject(id, subject))
  }

  function take({ to }: (typeof actions)[number]) {
    ref.current?.close()
    void navigate({ to, params: { team } })
  }

  useEffect(() => {
    if (!isEntered || isWaiting) return
    setEntered(false)
    if (firstFound) open(firstFound)
    else if (actions[0]) take(actions[0])
  })

  return (
    <dialog
      ref={ref}
      aria-label={t('Find a monitor, server, site or action')}
      onClose={onClose}
      className="mt-[12vh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-panel p-0 text-ink shadow-float"
    >
      <Command
        label={t('Find a monitor, server, site or action')}
        shouldFilter={false}
        loop
        value={at}
        onValueChange={setAt}
        onKeyDown={(event) => {
          // A result chosen with the arrow keys is taken at once.
          if (event.key !== 'Enter' || !isWaiting || at !== first) return
          event.preventDefault()
          setEntered(true)
        }}
      >
        <Command.Input
          ref={input}
          value={text}
          onValueChange={(typed) => {
            setText(typed)
            setEntered(false)
          }}
          placeholder={t('Find a monitor, server, site or action…')}
          className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
        />
        <Command.List className="max-h-96 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">{t('No results.')}</Command.Empty>
          {groups.map(({ kind, rows }) => (
            <Command.Group key={kind} heading={t(SUBJECT_NAMES[kind])} className={GROUP}>
              {rows.map((row) => (
                <Command.Item key={row.id} value={keyOf(row)} className={ITEM} onSelect={() => open(row)}>
                  <StatusMark status={row.status} />
                  <span className="min-w-0 flex-1 truncate">{row.name}</span>
                  <span className="max-w-[45%] truncate text-sm text-soft">{row.hint}</span>
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          {actions.length > 0 && (
            <Command.Group heading={t('Actions')} className={GROUP}>
              {actions.map((action) => (
                <Command.Item
                  key={action.to}
                  value={action.to}
                  className={ITEM}
                  onSelect={() => take(action)}
                >
                  {action.label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </dialog>
  )
}

type FoundRow = SubjectRef & { name: string; hint: string | null; status: LiveStatus }

/** Subjects by kind, those in trouble among monitors before anything is typed. */
function useFoundSubjects(
  team: number,
  search: string,
): { isWaiting: boolean; groups: { kind: SubjectKind; rows: FoundRow[] }[] } {
  const isTyped = search !== ''
  const kinds = isTyped ? SUBJECT_KINDS : (['monitor'] as const)
  const pages = useFoundPages(team, (kind) => {
    // Monitors come in the order of their list, with what is in trouble first.
    const order = kind === 'monitor' ? {} : { sort: 'name' }
    const query = { per_page: SHOWN, ...(isTyped && { search }), ...order }
    return { query, enabled: isTyped || kind === 'monitor' }
  })
  const asked = kinds.map((kind) => ({ kind, result: pages[kind] }))
  const groups = asked.map(({ kind, result }) => ({
    kind,
    rows: (result?.data?.data ?? []).map((row) => ({
      kind,
      id: row.id,
      name: row.name,
      hint: hintOf(kind, row),
      status: liveStatus(row),
    })),
  }))
  return {
    isWaiting: asked.some(({ result }) => result?.isPending || result?.isPlaceholderData),
    groups: groups.filter(({ rows }) => rows.length > 0),
  }
}

function keyOf({ kind, id }: SubjectRef): string {
  return `${kind} ${id}`
}
