import { type ReactNode, useState } from 'react'

const KEY = 'upbeat-fold-'

/**
 * A panel that opens by its heading. Its content is there only while it is open. `kept` names what this browser remembers
 * of it, for all records; without a name nothing is remembered.
 */
export function Fold({
  title,
  hint,
  kept,
  opensFirst = false,
  children,
}: {
  title: string
  /** Beside the heading: what is to be found in it. */
  hint?: string
  kept?: string | undefined
  opensFirst?: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(() => opensFirst || (kept !== undefined && isKeptOpen(kept)))
  function toggle(open: boolean) {
    if (open === isOpen) return
    setOpen(open)
    if (kept === undefined) return
    if (open) localStorage.setItem(KEY + kept, 'open')
    else localStorage.removeItem(KEY + kept)
  }
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => toggle(currentTarget.open)}
      className="group rounded-lg border border-line bg-panel shadow-panel"
    >
      <summary className="flex min-h-12 list-none items-center gap-x-3 px-4 py-1">
        <h2 className="shrink-0 font-semibold">{title}</h2>
        {hint && <span className="min-w-0 truncate text-sm text-soft">{hint}</span>}
        <Chevron />
      </summary>
      {isOpen && <div className="border-t border-line">{children}</div>}
    </details>
  )
}

function Chevron() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      className="ml-auto shrink-0 text-soft group-open:rotate-90"
    >
      <path
        d="m6 3.500 4.500 4.500L6 12.500"
        stroke="currentColor"
        strokeWidth="1.700"
        strokeLinecap="round"
      />
    </svg>
  )
}

function isKeptOpen(kept: string): boolean {
  return localStorage.getItem(KEY + kept) === 'open'
}
