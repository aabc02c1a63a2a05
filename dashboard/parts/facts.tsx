import type { ReactNode } from 'react'

/** Facts in cells of one size, name above value: a change in one moves nothing in the others. */
export function FactTiles({ children, className }: { children: ReactNode; className: string }) {
  return <dl className={`grid gap-px overflow-hidden rounded-lg bg-line ${className}`}>{children}</dl>
}

export function FactTile({
  name,
  children,
  hint,
  wide = false,
  whole = false,
}: {
  name: string
  children: ReactNode
  hint?: string
  /** Takes both columns of a narrow screen. */
  wide?: boolean
  /** Takes all columns of any screen. */
  whole?: boolean
}) {
  return (
    <div
      className={`min-w-0 bg-panel px-4 py-3 ${wide ? 'max-md:col-span-2' : ''} ${whole ? 'col-span-full' : ''}`}
      {...(hint && { title: hint })}
    >
      <dt className="text-sm break-words text-soft">{name}</dt>
      <dd className="font-medium break-words sm:text-lg">{children}</dd>
    </div>
  )
}

/** Facts below each other, as in a summary of settings. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5">
      <dt className="w-32 shrink-0 text-soft">{name}</dt>
      <dd className="min-w-0 flex-1 basis-40 break-words [&_time]:whitespace-normal">{children}</dd>
    </div>
  )
}
