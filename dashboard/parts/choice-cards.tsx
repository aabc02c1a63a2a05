import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'
import { INPUT_LOOK } from './field.tsx'

export type ChoiceCard = {
  label: string
  sentence: string
  icon: LucideIcon
  /** Further words that it is found by. */
  words?: string
}

type Group<Kind> = { label: string; kinds: readonly Kind[] }

/** Radio buttons for a few kinds, each with a sentence about it; the arrow keys move between them. */
export function ChoiceCards<Kind extends string>({
  legend,
  cards,
  value,
  first,
  groups,
  find,
  onChoose,
}: {
  legend: string
  cards: Record<Kind, ChoiceCard>
  value: Kind | null
  /** Shows so many, the most used ones, and a button for the others. */
  first?: number
  /** The others stand under these headings. */
  groups?: readonly Group<Kind>[]
  /** The label of a field that finds some of many. */
  find?: string
  onChoose: (kind: Kind) => void
}) {
  const id = useId()
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const all = Object.entries(cards) as [Kind, ChoiceCard][]
  const [isWhole, setWhole] = useState(false)
  const [typed, setTyped] = useState('')
  const isMany = first !== undefined && all.length > first
  const shown = isWhole || !isMany ? all : all.slice(0, first)
  // The chosen one is always seen.
  const chosen = all.filter(([kind]) => kind === value && !shown.some(([other]) => other === kind))
  const rest = all.length - shown.length - chosen.length
  const found = typed.trim() === '' ? null : all.filter(([, card]) => isFound(card, typed))

  function showAll() {
    setWhole(true)
    // The button is gone: the focus goes on to what it brought.
    requestAnimationFrame(() => radiosIn(fieldset.current)[shown.length]?.focus())
  }

  const cardsOf = (some: readonly [Kind, ChoiceCard][]) =>
    some.map(([kind, card]) => (
      <Card key={kind} {...{ id, kind, card }} isChosen={kind === value} onChoose={() => onChoose(kind)} />
    ))

  return (
    <fieldset ref={fieldset}>
      <legend className="mb-2 font-medium">{legend}</legend>
      {isMany && find && (
        <input
          type="search"
          aria-label={find}
          placeholder={find}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // It sends no form.
            event.preventDefault()
            const [match] = found ?? []
            if (match) onChoose(match[0])
          }}
          className={`${INPUT_LOOK} mb-2 h-10 max-md:h-[44px] sm:max-w-xs`}
        />
      )}
      {found ? (
        <>
          <Grid>{cardsOf(found)}</Grid>
          {found.length === 0 && <p className="py-3 text-soft">{t('No results.')}</p>}
        </>
      ) : isWhole && isMany && groups ? (
        sectionsOf(all.slice(0, first), groups, cards).map(({ label, some }) => (
          <section key={label} aria-label={label} className="mb-4 last:mb-0">
            <h2 className="mb-1.5 text-sm text-soft">{label}</h2>
            <Grid>{cardsOf(some)}</Grid>
          </section>
        ))
      ) : (
        <Grid>
          {cardsOf([...shown, ...chosen])}
          {rest > 0 && (
            <Button tone="quiet" className="min-h-16 justify-self-start" onClick={showAll}>
              {t('Show {count} more', { count: rest })}
            </Button>
          )}
        </Grid>
      )}
    </fieldset>
  )
}

function radiosIn(fieldset: HTMLFieldSetElement | null): HTMLInputElement[] {
  return [...(fieldset?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])]
}

/** The most used ones, then the others by their groups. */
function sectionsOf<Kind extends string>(
  most: readonly [Kind, ChoiceCard][],
  groups: readonly Group<Kind>[],
  cards: Record<Kind, ChoiceCard>,
): { label: string; some: [Kind, ChoiceCard][] }[] {
  const isRest = (kind: Kind) => !most.some(([other]) => other === kind)
  const others = groups.map(({ label, kinds }) => ({
    label,
    some: kinds.filter(isRest).map((kind): [Kind, ChoiceCard] => [kind, cards[kind]]),
  }))
  return [{ label: t('Most used'), some: [...most] }, ...others.filter(({ some }) => some.length > 0)]
}

/** Whether every word that was typed is in the words of a card. */
function isFound({ label, sentence, words = '' }: ChoiceCard, typed: string): boolean {
  const text = `${label} ${sentence} ${words}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Grid({ children }: { children: ReactNode }) {
  return <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
}

function Card({
  id,
  kind,
  card: { label, sentence, icon: Icon },
  isChosen,
  onChoose,
}: {
  /** The name of all radio buttons of the choice. */
  id: string
  kind: string
  card: ChoiceCard
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-md border border-line bg-panel p-3 hover:bg-sunken has-checked:border-accent has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={id}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`${id}-${kind}`}
        aria-describedby={`${id}-${kind}-said`}
        className="mt-0.5 size-4.5 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-2">
          <span id={`${id}-${kind}`} className="font-medium">
            {label}
          </span>
          <Icon aria-hidden size={18} className="shrink-0 text-soft" />
        </span>
        <span id={`${id}-${kind}-said`} className="mt-0.5 block text-sm text-soft">
          {sentence}
        </span>
      </span>
    </label>
  )
}
