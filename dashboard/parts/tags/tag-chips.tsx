import { keyOf, tagValue } from '../../../src/core/tags/tag-text.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'

const CHIP = 'inline-flex max-w-40 items-center rounded border border-line bg-sunken px-1.5 text-xs leading-5'

/** A tag, its key less loud than its value. */
export function TagText({ tag }: { tag: string }) {
  const value = tagValue(tag)
  if (value === null) return <>{tag}</>
  return (
    <>
      <span className="text-soft">{keyOf(tag)}:</span>
      {value}
    </>
  )
}

/** The first few tags of a row, and how many more there are. A press filters the list by one. */
export function TagChips({
  tags,
  max = 2,
  onPick,
  className = '',
}: {
  tags: readonly string[]
  max?: number
  onPick: (tag: string) => void
  className?: string
}) {
  if (tags.length === 0) return null
  const more = tags.slice(max)
  return (
    <span className={`flex shrink-0 items-center gap-1 ${className}`}>
      {tags.slice(0, max).map((tag) => (
        <button
          key={tag}
          type="button"
          title={t('Show only {tag}', { tag })}
          className={`${CHIP} hover:border-soft`}
          onClick={() => onPick(tag)}
        >
          <span className="truncate">
            <TagText tag={tag} />
          </span>
        </button>
      ))}
      {more.length > 0 && (
        <span className="text-xs text-soft" title={more.join(', ')}>
          {rich('+{count}<hidden> more: {tags}</hidden>', {
            count: String(more.length),
            tags: more.join(', '),
            hidden,
          })}
        </span>
      )}
    </span>
  )
}

/** All tags of one record. */
export function TagList({ tags, className = '' }: { tags: readonly string[]; className?: string }) {
  return (
    <ul aria-label={t('Tags')} className={`flex flex-wrap gap-1.5 ${className}`}>
      {tags.map((tag) => (
        <li key={tag} className={`${CHIP} max-w-full break-all`}>
          <span>
            <TagText tag={tag} />
          </span>
        </li>
      ))}
    </ul>
  )
}
