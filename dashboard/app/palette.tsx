import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { useTeam } from '../data/session.ts'
import { t } from '../language/language.ts'
import { StatusMark } from '../parts/monitors/status.tsx'
import type { Item } from './finder/item.ts'
import { ranked } from './finder/match.ts'
import { noteUse, recentIn } from './finder/recent.ts'
import { useDeeds } from './finder/use-deeds.ts'
import { useFound } from './finder/use-found.ts'
import { useDocsSearch, useOwnDeeds } from './finder/use-own-deeds.ts'
import { actionsFor, typesFor } from './palette-actions.ts'

const ITEM = 'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-sunken'
const GROUP =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft'

/** Finds what a team has, the places of the dashboard and what can be done, by a few letters. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { id, may } = useTeam()
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
  const typed = text.trim()
  const [recent] = useState(() => recentIn(id))
  const found = useFound(id, typed)
  const deeds = useDeeds(id, typed, may('write'))
  const itemOf = ({ label, to }: { label: string; to: string }): Item => ({
    value: `place ${label}`,
    label,
    href: to.replace('$team', String(id)),
  })
  const places = actionsFor(may).map(itemOf)
  const own = [...typesFor(may).map(itemOf), ...useOwnDeeds()]
  const docs = useDocsSearch(typed)
  const isWaiting = found.isWaiting || deeds.isWaiting

  const usedAt = ({ value }: Item) => {
    const index = recent.findIndex((one) => one.value === value)
    return index < 0 ? -recent.length : -index
  }
  const actions = ranked(typed === '' ? places : [...places, ...own], typed, {
    text: ({ label }) => label,
    usedAt,
  })
  const isRecent = ({ value }: Item) => typed === '' && recent.some((one) => one.value === value)
  const groups = [
    ...(typed === '' ? [{ heading: t('Opened last'), items: recent as Item[] }] : []),
    ...deeds.groups,
    ...[...found.groups, { heading: t('Places and actions'), items: actions }].map(({ heading, items }) => ({
      heading,
      items: items.filter((item) => !isRecent(item)),
    })),
    ...(typed === '' ? [] : [{ heading: t('Documentation'), items: [docs] }]),
  ].filter(({ items }) => items.length > 0)
  const [firstItem] = groups.flatMap(({ items }) => items)

  // Enter takes the first result, even one that arrives while the box is open.
  const first = firstItem?.value ?? ''
  useEffect(() => setAt(first), [first])

  function take(item: Item) {
    ref.current?.close()
    if (item.act) return item.act()
    noteUse(id, item)
    void navigate({ href: item.href })
  }

  useEffect(() => {
    if (!isEntered || isWaiting) return
    setEntered(false)
    if (firstItem) take(firstItem)
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
          placeholder={t('Find anything, or type what to do: pause checkout…')}
          className="h-12 w-full border-b border-line bg-transparent px-4 outline-none"
        />
        <Command.List className="max-h-96 scrolls p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">{t('No results.')}</Command.Empty>
          {groups.map(({ heading, items }) => (
            <Command.Group key={heading} heading={heading} className={GROUP}>
              {items.map((item) => (
                <Command.Item
                  key={item.value}
                  value={item.value}
                  className={ITEM}
                  onSelect={() => take(item)}
                >
                  {item.status && <StatusMark status={item.status} />}
                  <span className="min-w-0 flex-1 truncate">{item.label}</span>
                  {item.detail && (
                    <span
                      className={`max-w-[45%] truncate text-sm text-soft ${item.act ? 'hidden md:block' : ''}`}
                    >
                      {item.detail}
                    </span>
                  )}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </dialog>
  )
}
