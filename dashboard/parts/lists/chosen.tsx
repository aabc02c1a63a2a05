import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'

/** The rows of a list that are chosen, for the bar of what is done to all of it. */
export type Chosen = {
  chosen: ReadonlySet<number>
  /** In the order in which they were chosen. */
  names: readonly string[]
  /** How many of them are not on the page that is shown. */
  away: number
  /** Shows them alone. */
  onShow: () => void
  onClear: () => void
  /** Something was done to them: nothing is chosen then, and the list is shown as it is now. */
  onDone: () => void
}

/** This many names have room where something is done to all that is chosen. */
const NAMES = 5

/** Says what an action will hit, also where it cannot be seen: `3 selected, 1 not on this page`. */
export function ChosenSummary({ chosen, names, away, onShow }: Omit<Chosen, 'onDone'>) {
  return (
    <span className="mr-auto min-w-0 basis-64 max-sm:basis-full">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">
          {away === 0
            ? t('{count, number} selected', { count: chosen.size })
            : t('{count, number} selected, {away, number} not on this page', { count: chosen.size, away })}
        </span>
        {away > 0 && (
          <button type="button" className="text-sm text-accent underline" onClick={onShow}>
            {t('Show selected')}
          </button>
        )}
      </span>
      <span className="line-clamp-1 text-sm break-all text-soft">{sayNames(names)}</span>
    </span>
  )
}

/** `Shop, Blog and 3 more`. */
export function sayNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES).join(', ')
  if (names.length <= NAMES) return shown
  return t('{names} and {count, number} more', { names: shown, count: names.length - NAMES })
}

/** Says that a list shows nothing but rows that were chosen. */
export function OnlyChosen({ ids, onShowAll }: { ids: string; onShowAll: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-panel px-4 py-2">
      <span>{t('Only the {count, number} selected', { count: ids.split(',').length })}</span>
      <Button size="small" onClick={onShowAll}>
        {t('Show all')}
      </Button>
    </p>
  )
}
