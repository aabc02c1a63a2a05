import { GripVertical } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '../../../src/core/validation.ts'
import {
  type ComponentDraft,
  type Direction,
  type GroupDraft,
  type ItemDraft,
  isByTag,
  isGroup,
  isSetByHand,
  type LayoutDraft,
  nameOf,
  type Place,
  step,
} from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { ComponentAbout } from './component-about.tsx'
import { RowDetails } from './row-details.tsx'
import { RowTools } from './row-tools.tsx'
import { type Dragging, useDrag } from './use-drag.ts'

type Around = {
  draft: LayoutDraft
  /** The faults by the keys of rows. */
  faults: Map<string, FieldErrors>
  onChange: (draft: LayoutDraft) => void
  onMove: (key: string, direction: Direction) => void
  onRemove: (key: string) => void
}

/** The rows of a page in their order, to be dragged by their handles or moved by their buttons. */
export function LayoutRows({ onPlace, ...around }: Around & { onPlace: (key: string, to: Place) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const dragging = useDrag(list, onPlace)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<{ selector: string } | null>(null)
  // A row that moved is another element: the focus goes along.
  useEffect(() => {
    if (focused) list.current?.querySelector<HTMLElement>(focused.selector)?.focus()
  }, [focused])

  const opening: Opening = {
    // New rows without a monitor begin open: they have no name yet.
    isOpen: (row) => open.has(row.key) !== (row.id === null && (isGroup(row) || isSetByHand(row))),
    toggle: ({ key }) => setOpen((all) => all.symmetricDifference(new Set([key]))),
    keepFocus: (selector) => setFocused({ selector }),
  }
  const parts = { ...around, dragging, opening }

  return (
    <div ref={list} className="flex flex-col gap-2.5">
      {around.draft.map((item) => (
        <div
          key={item.key}
          data-item={item.key}
          className={`relative rounded-md border border-line ${isDragged(dragging, item)}`}
        >
          <Mark dragging={dragging} row={item} />
          {isGroup(item) ? <Group group={item} {...parts} /> : <Line row={item} {...parts} />}
        </div>
      ))}
    </div>
  )
}

/** Which rows show their details. */
type Opening = {
  isOpen: (row: ItemDraft) => boolean
  toggle: (row: ItemDraft) => void
  keepFocus: (selector: string) => void
}

type Parts = Around & { dragging: Dragging; opening: Opening }

function Group({ group, ...parts }: Parts & { group: GroupDraft }) {
  const { dragging } = parts
  const isInto = dragging.drag?.target?.key === group.key && dragging.drag.target.at === 'into'
  return (
    <>
      <div data-head className="rounded-t-md bg-sunken">
        <Line row={group} {...parts} />
      </div>
      <div className={`flex flex-col gap-1.5 p-2 pl-4 sm:pl-8 ${isInto ? 'outline-2 outline-accent' : ''}`}>
        {group.components.length === 0 && (
          <p className="text-sm text-soft">
            {t('Empty: drag components here, or choose this group in theirs.')}
          </p>
        )}
        {group.components.map((component) => (
          <div
            key={component.key}
            data-component={component.key}
            className={`relative rounded-md border border-line ${isDragged(dragging, component)}`}
          >
            <Mark dragging={dragging} row={component} />
            <Line row={component} {...parts} />
          </div>
        ))}
      </div>
    </>
  )
}

function Line({ row, dragging, opening, ...around }: Parts & { row: ItemDraft }) {
  const faults = around.faults.get(row.key)
  const isShown = opening.isOpen(row) || faults !== undefined
  const name = nameOf(row)
  const isThereByTag = !isGroup(row) && isByTag(around.draft, row)
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1.5">
        <span
          aria-hidden
          title={t('Drag to move')}
          className="flex size-9 shrink-0 cursor-grab touch-none items-center justify-center rounded text-soft hover:bg-sunken hover:text-ink"
          {...dragging.handle(row.key, isGroup(row))}
        >
          <GripVertical size={18} />
        </span>
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium break-words">
            <bdi>{name}</bdi>
          </p>
          {isGroup(row) ? <GroupAbout group={row} /> : <ComponentAbout component={row as ComponentDraft} />}
          {isThereByTag && (
            <p className="text-sm text-soft">{t('Added by tag: it disappears when it loses the tag.')}</p>
          )}
        </div>
        <RowTools
          row={row.key}
          name={name}
          isOpen={isShown}
          ways={{ up: step(around.draft, row.key, 'up'), down: step(around.draft, row.key, 'down') }}
          onMove={(direction) => {
            around.onMove(row.key, direction)
            opening.keepFocus(`[data-tools="${row.key}"] [data-move="${direction}"]`)
          }}
          onOpen={() => opening.toggle(row)}
          onRemove={isThereByTag ? null : () => around.onRemove(row.key)}
        />
      </div>
      {isShown && (
        <RowDetails
          row={row}
          faults={faults}
          draft={around.draft}
          onChange={around.onChange}
          onRegroup={() => opening.keepFocus(`[data-group-of="${row.key}"]`)}
        />
      )}
    </div>
  )
}

function GroupAbout({ group: { components, is_open, tags } }: { group: GroupDraft }): ReactNode {
  return (
    <p className="text-sm text-soft">
      {t(is_open ? 'Group of {count}, open at first' : 'Group of {count}, closed at first', {
        count: components.length,
      })}
      {tags.length > 0 && <> · {t('follows {tags}', { tags: tags.join(', ') })}</>}
    </p>
  )
}

/** A line where the dragged row would go. */
function Mark({ dragging: { drag }, row }: { dragging: Dragging; row: ItemDraft }) {
  if (drag?.target?.key !== row.key || drag.key === row.key || drag.target.at === 'into') return null
  const edge = drag.target.at === 'before' ? '-top-1.5' : '-bottom-1.5'
  return <span aria-hidden className={`absolute inset-x-0 z-10 h-0.5 rounded bg-accent ${edge}`} />
}

function isDragged({ drag }: Dragging, { key }: ItemDraft): string {
  return drag?.key === key ? 'bg-panel opacity-50' : 'bg-panel'
}
