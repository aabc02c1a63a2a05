import { Inbox, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../language/language.ts'
import { usePageTitle } from './page-title.ts'

/** A box with a heading. */
export function Panel({
  title,
  actions,
  children,
  isStale = false,
  className = '',
}: {
  title?: string
  actions?: ReactNode
  children: ReactNode
  /** It shows the answer to the question before, while the next one is on its way. */
  isStale?: boolean
  className?: string
}) {
  const id = useId()
  return (
    <section
      {...(title && { 'aria-labelledby': id })}
      {...(isStale && { 'aria-busy': true })}
      className={`rounded-lg border border-line bg-panel shadow-panel ${isStale ? 'opacity-70' : ''} ${className}`}
    >
      {(title || actions) && (
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1">
          {title && (
            <h2 id={id} className="font-semibold tracking-tight">
              {title}
            </h2>
          )}
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** A group of settings: its heading and a sentence stand above the box. */
export function Section({
  title,
  about,
  actions,
  children,
  className = '',
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2.5 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id={id} className="text-lg font-semibold tracking-tight">
            {title}
          </h2>
          {about && <p className="text-soft">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div className={`rounded-lg border border-line bg-panel shadow-panel ${className}`}>{children}</div>
    </section>
  )
}

/** The heading of a screen with its actions. */
export function PageHead({
  title,
  tab = title,
  children,
  actions,
}: {
  title: string
  /** The title of the browser's tab, where the heading alone would be ambiguous. */
  tab?: string
  children?: ReactNode
  actions?: ReactNode
}) {
  usePageTitle(tab)
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-3">
      {/* On a phone, one small action has room beside a sentence. */}
      <div className={`min-w-0 ${children ? 'max-md:flex-1 max-md:basis-44' : ''}`}>
        <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
        {children && <div className="mt-1 text-soft">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

/** An empty state: what belongs here and how to add it. */
export function Empty({
  title,
  heading: Heading = 'p',
  icon: Icon = Inbox,
  children,
  action,
}: {
  title: string
  /** `h1` where the screen has nothing else. */
  heading?: 'p' | 'h1'
  /** The icon of what belongs here. */
  icon?: LucideIcon
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-lg border border-line bg-sunken text-soft">
        <Icon aria-hidden size={20} />
      </span>
      <Heading className="text-lg font-semibold tracking-tight">{title}</Heading>
      {children && <div className="max-w-md text-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}

/** A placeholder for content that still loads, so that nothing jumps when it arrives. */
export function Waiting({ lines = 3, className = '' }: { lines?: number; className?: string }) {
  return (
    <div aria-busy="true" className={`flex flex-col gap-3 p-4 ${className}`}>
      <span className="sr-only">{t('Loading')}</span>
      {Array.from({ length: lines }, (_, index) => index).map((line) => (
        <div
          key={line}
          className="h-5 motion-safe:animate-pulse rounded bg-sunken"
          style={{ width: `${90 - (line % 3) * 15}%` }}
        />
      ))}
    </div>
  )
}
