import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { Button } from './button.tsx'

/**
 * Wraps a part of a screen that is loaded on first use. Its file is gone if Upbeat was updated since the page was
 * opened, and a library may refuse this browser: then the rest of the screen stays. It never reloads the page by
 * itself: something may be typed in it.
 */
export function LazyPart({
  waiting = null,
  failed,
  children,
}: {
  /** Keeps the place while the part loads. */
  waiting?: ReactNode
  /** Shown in place of a part that failed, for example with `LoadAgain`. */
  failed: ReactNode
  children: ReactNode
}) {
  return (
    <CatchBoundary getResetKey={() => null} errorComponent={() => failed}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </CatchBoundary>
  )
}

/** Browsers remember which files they could not load: only a reload of the page requests them again. */
export function LoadAgain({ children }: { children: string }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p>{children} If Upbeat was updated since you opened this page, reloading helps.</p>
      <Button size="small" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
