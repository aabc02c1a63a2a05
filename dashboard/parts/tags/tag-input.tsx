import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { readTag, withTags } from '../../../src/core/tags/tag.ts'
import { question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { Field } from '../field.tsx'
import { suggestionsFor } from './suggestions.ts'
import { TagText } from './tag-chips.tsx'

/**
 * Chosen tags, and an input that suggests those in use: a combobox with the keys that people expect of one. `selects`: it
 * filters, so that a key alone stands for any value and nothing new is made.
 */
export function TagInput({
  team,
  label,
  tags,
  onChange,
  hint,
  faults,
  selects = false,
  onLeave,
  placeholder = selects ? t('Any') : 'env:prod',
  className,
}: {
  team: number
  label: string
  tags: readonly string[]
  onChange: (tags: string[]) => void
  hint?: ReactNode
  faults?: string[] | undefined
  selects?: boolean
  onLeave?: () => void
  placeholder?: string
  className?: string
}) {
  const list = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const inUse = useQuery(question(team, 'listTags', {})).data?.data ?? []
  const suggestions = isOpen ? suggestionsFor(text, inUse, tags, selects) : []
  const active = suggestions[at]

  /** Text that is no tag stays where its fault can be shown, or is left alone by a filter. */
  function add(written: string) {
    const read = readTag(written)
    if ('tag' in read) onChange(withTags(tags, [read.tag]))
    else if (selects) return
    else onChange([...tags.filter((tag) => tag !== written.trim()), written.trim().replaceAll(',', ' ')])
    setText('')
    setAt(-1)
    setOpen(false)
  }

  function remove(tag: string) {
    onChange(tags.filter((one) => one !== tag))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const move = (next: number) => {
      event.preventDefault()
      setOpen(true)
      setAt(next)
    }
    switch (event.key) {
      case 'ArrowDown':
        return move(at >= suggestions.length - 1 ? 0 : at + 1)
      case 'ArrowUp':
        return move(at <= 0 ? suggestions.length - 1 : at - 1)
      case 'Escape':
        // The first closes the list, and no dialog around it.
        if (suggestions.length === 0) return
        event.preventDefault()
        event.stopPropagation()
        return setOpen(false)
      case 'Enter':
      case ',':
        if (event.key === ',' || text.trim() !== '' || active) event.preventDefault()
        if (active) add(active.tag)
        else if (text.trim() !== '') add(text)
        return
      case 'Backspace': {
        const last = tags.at(-1)
        if (text === '' && last !== undefined) remove(last)
      }
    }
  }

  return (
    <div className={`relative ${className ?? ''}`}>
      <Field label={label} {...(hint !== undefined && { hint })} faults={faults}>
        {(wired) => (
          <div className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-md border border-edge bg-panel px-2 py-1 shadow-panel hover:border-soft max-md:min-h-[44px] focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent has-[[aria-invalid]]:border-down">
            {tags.map((tag) => (
              <Chip key={tag} tag={tag} onRemove={() => remove(tag)} />
            ))}
            <input
              {...wired}
              role="combobox"
              aria-expanded={suggestions.length > 0}
              aria-autocomplete="list"
              {...(suggestions.length > 0 && { 'aria-controls': list })}
              {...(active && { 'aria-activedescendant': `${list}-${at}` })}
              className="h-7 min-w-24 flex-1 bg-transparent px-1 text-ink outline-none"
              value={text}
              placeholder={tags.length === 0 ? placeholder : ''}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => {
                setText(target.value)
                setAt(-1)
                setOpen(true)
              }}
              onFocus={() => setOpen(true)}
              onClick={() => setOpen(true)}
              onKeyDown={onKeyDown}
              onBlur={() => {
                if (text.trim() !== '') add(text)
                setOpen(false)
                setAt(-1)
                onLeave?.()
              }}
            />
          </div>
        )}
      </Field>
      {suggestions.length > 0 && (
        <div
          id={list}
          role="listbox"
          // Browsers stop at what scrolls, and it is gone once the input has lost the focus.
          tabIndex={-1}
          aria-label={t('{label}: suggestions', { label })}
          className="absolute inset-x-0 z-30 mt-1 max-h-72 overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-lg"
        >
          {suggestions.map(({ tag, said }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the same
            <div
              key={tag}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === at}
              className={`flex min-h-9 cursor-pointer items-center justify-between gap-3 rounded px-2.5 hover:bg-sunken ${index === at ? 'bg-sunken' : ''}`}
              // Before the input loses the focus, which would take what is typed for a tag.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add(tag)}
            >
              <span className="truncate">
                <TagText tag={tag} />
              </span>
              <span className="shrink-0 text-sm text-soft">{said}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function Chip({ tag, onRemove }: { tag: string; onRemove: () => void }) {
  const isFaulty = 'fault' in readTag(tag)
  return (
    <span
      className={`inline-flex max-w-full items-center rounded border bg-sunken pl-2 text-sm ${isFaulty ? 'border-down text-down' : 'border-line'}`}
    >
      <span className="truncate">
        <TagText tag={tag} />
      </span>
      <button
        type="button"
        aria-label={t('Remove {tag}', { tag })}
        className="ml-0.5 inline-flex size-7 items-center justify-center rounded text-soft hover:text-ink"
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  )
}
