import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react'
import { t } from '../language/language.ts'
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

type Preloadable<Props> = ComponentType<Props> & { preload: () => Promise<unknown> }

/**
 * A part in a file of its own, which loads when it is drawn, or before that by `preload`. Where it has arrived before it is
 * drawn, nothing stands in its place: React shows a part 300 ms after the placeholder of another at the earliest.
 */
export function preloadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  let arrived: ComponentType<Props> | null = null
  let loading: ReturnType<typeof load> | null = null
  const preload = () => {
    loading ??= load().then(
      (file) => {
        arrived = file.default
        return file
      },
      (error) => {
        // It may be loaded where it is drawn.
        loading = null
        throw error
      },
    )
    return loading
  }
  const Awaited = lazy(preload)
  function Part(props: Props) {
    // As it was at first: another component would be drawn anew.
    const [part] = useState(() => arrived ?? Awaited)
    return createElement(part as ComponentType<Props>, props)
  }
  return Object.assign(Part, { preload })
}

/** The same, loaded beside the file that names it. */
export function preloaded<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const part = preloadable(load)
  // Where it is drawn, it is awaited, and what failed is shown.
  part.preload().catch(() => undefined)
  return part
}

/** Browsers remember which files they could not load: only a reload of the page requests them again. */
export function LoadAgain({ children }: { children: string }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p>
        {children} {t('If Upbeat was updated since you opened this page, reloading helps.')}
      </p>
      <Button size="small" onClick={() => location.reload()}>
        {t('Reload')}
      </Button>
    </div>
  )
}
