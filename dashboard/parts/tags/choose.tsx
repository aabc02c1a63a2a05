import { t } from '../../language/language.ts'

/** The rows of a list that are chosen, for what is done to all of them at once. */
export type Choosing = {
  chosen: ReadonlySet<number>
  onChoose: (chosen: ReadonlySet<number>) => void
}

const BOX = 'size-4.5 accent-accent align-middle'

export function ChooseAll({ ids, chosen, onChoose }: { ids: readonly number[] } & Choosing) {
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <input
      type="checkbox"
      aria-label={t('Select all on this page')}
      className={BOX}
      checked={isAll}
      onChange={() => onChoose(isAll ? chosen.difference(new Set(ids)) : chosen.union(new Set(ids)))}
    />
  )
}

export function ChooseOne({ id, name, chosen, onChoose }: { id: number; name: string } & Choosing) {
  return (
    <input
      type="checkbox"
      aria-label={t('Select {name}', { name })}
      className={BOX}
      checked={chosen.has(id)}
      onChange={() => onChoose(chosen.symmetricDifference(new Set([id])))}
    />
  )
}
