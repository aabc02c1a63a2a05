import { createContext, useContext, useSyncExternalStore } from 'react'

/** The point under the pointer, one for all charts of a page; null if there is none. */
export type Cursor = {
  get: () => number | null
  set: (index: number | null) => void
  listen: (listener: () => void) => () => void
}

export function createCursor(): Cursor {
  let at: number | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => at,
    set(index) {
      if (index === at) return
      at = index
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const CursorContext = createContext<Cursor>(createCursor())

export function useCursor(): Cursor {
  return useContext(CursorContext)
}

export function useCursorIndex(): number | null {
  const { listen, get } = useCursor()
  return useSyncExternalStore(listen, get)
}
