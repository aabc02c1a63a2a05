import type { TagGroup } from '../../../src/core/tags/tag-group.ts'
import { t } from '../../language/language.ts'
import { StatusMark, statusColour } from '../monitors/status.tsx'
import { TagText } from './tag-chips.tsx'

/** `3 up`, `2 of 3 down`: how many there are, and the worst of them. */
function sayGroup({ count, worst, worst_count: bad }: TagGroup): string {
  return bad === count
    ? t(
        '{count, number} {status, select, up {up} down {down} degraded {degraded} maintenance {maintenance} paused {paused} other {pending}}',
        { count, status: worst },
      )
    : t(
        '{bad, number} of {count, number} {status, select, up {up} down {down} degraded {degraded} maintenance {maintenance} paused {paused} other {pending}}',
        { bad, count, status: worst },
      )
}

/** All groups of a list with their counts and worst state. A press shows only one. */
export function GroupBar({
  groups,
  groupKey,
  chosen,
  onPick,
}: {
  groups: readonly TagGroup[]
  groupKey: string
  chosen: readonly string[]
  onPick: (tag: string) => void
}) {
  return (
    <ul
      aria-label={t('Groups by {groupKey}', { groupKey })}
      className="mb-4 grid max-h-72 grid-cols-2 gap-2 scrolls sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]"
    >
      {groups.map((group) => (
        <li key={group.tag ?? ''} className="min-w-0">
          <GroupCard
            group={group}
            groupKey={groupKey}
            isChosen={chosen.includes(group.tag ?? '')}
            onPick={onPick}
          />
        </li>
      ))}
    </ul>
  )
}

function GroupCard({
  group,
  groupKey,
  isChosen,
  onPick,
}: {
  group: TagGroup
  groupKey: string
  isChosen: boolean
  onPick: (tag: string) => void
}) {
  const { tag, worst } = group
  const look =
    'flex w-full min-w-0 items-center gap-2.5 rounded-md border border-line bg-panel px-3 py-2 text-left'
  const content = (
    <>
      {/* The words beside it say the same. */}
      <span aria-hidden className="shrink-0">
        <StatusMark status={worst} size={16} />
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">
          {tag === null ? t('Without {groupKey}', { groupKey }) : <TagText tag={tag} />}
        </span>
        <span className={`block truncate text-sm ${isBad(worst) ? statusColour(worst) : 'text-soft'}`}>
          {sayGroup(group)}
        </span>
      </span>
    </>
  )
  if (tag === null) return <div className={look}>{content}</div>
  return (
    <button
      type="button"
      className={`${look} hover:bg-sunken aria-pressed:border-accent`}
      aria-pressed={isChosen}
      onClick={() => onPick(tag)}
    >
      {content}
    </button>
  )
}

function isBad(status: TagGroup['worst']): boolean {
  return status === 'down' || status === 'degraded' || status === 'maintenance'
}

type Head = {
  tag: string | null
  groupKey: string
  /** Undefined where it is not known any more. */
  group: TagGroup | undefined
}

/** The line above the rows of a group in a table. `columns`: the first ones, which are there on narrow screens, too. */
export function GroupHead({ columns, ...head }: Head & { columns: number }) {
  return (
    <tr>
      <th scope="rowgroup" colSpan={columns} className="px-4 pt-3 pb-1.5 text-left text-sm font-medium">
        <GroupTitle {...head} />
      </th>
    </tr>
  )
}

/** The same in a list. */
export function GroupLine(head: Head) {
  return (
    <li className="px-4 pt-3 pb-1.5 text-sm font-medium">
      <GroupTitle {...head} />
    </li>
  )
}

function GroupTitle({ tag, groupKey, group }: Head) {
  return (
    <>
      {tag === null ? t('Without {groupKey}', { groupKey }) : <TagText tag={tag} />}
      {group && (
        <span className={`ml-3 font-normal ${isBad(group.worst) ? statusColour(group.worst) : 'text-soft'}`}>
          {sayGroup(group)}
        </span>
      )}
    </>
  )
}
