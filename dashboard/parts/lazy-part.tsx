import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { Button } from './button.tsx'

/**
 * Around a part of a screen that is loaded when it is first wanted. Its file is gone when Upbeat was updated since the
 * page was opened, and a library may refuse this browser: then the rest of the screen stays. The page is not loaded
 * anew without being asked: something may be typed in it.
 */
export function LazyPart({
  waiting = null,
  failed,
  children,
}: {
  /** Keeps its place while it is loaded. */
  waiting?: ReactNode
  /** Stands in its place where it cannot be shown, beside `LoadAgain`, say. */
  failed: ReactNode
  children: ReactNode
}) {
  return (
    <CatchBoundary getResetKey={() => null} errorComponent={() => failed}>
      <Suspense fallback={waiting}>{children}</Suspense>
    </CatchBoundary>
  )
}

/** Browsers remember which files they could not load: only another load of the page asks for them again. */
export function LoadAgain({ children }: { children: string }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p>{children} If Upbeat was updated since you opened this page, it helps to load it again.</p>
      <Button size="small" onClick={() => location.reload()}>
        Load again
      </Button>
    </div>
  )
}
