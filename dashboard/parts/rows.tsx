import type { ReactNode } from 'react'

/** A list of records, each with details and actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {children}
    </ul>
  )
}

export function Row({
  title,
  children,
  actions,
}: {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <li data-row className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium break-words">{title}</div>
        {children && <div className="text-sm text-soft">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </li>
  )
}

/** A word in a frame: `this browser`, `revoked`. */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="rounded border border-line px-1.5 text-sm font-normal whitespace-nowrap text-soft">
      {children}
    </span>
  )
}
