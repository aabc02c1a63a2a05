import { createContext, useContext, useSyncExternalStore } from 'react'

/** The point that is pointed at, and where: `left` and `width` are in pixels of the chart. */
export type Pointed = { index: number; left: number; width: number }

/** The point under the pointer, one for all charts that share it; null if there is none. */
export type Cursor = {
  get: () => Pointed | null
  set: (pointed: Pointed | null) => void
  listen: (listener: () => void) => () => void
}

export function createCursor(): Cursor {
  let at: Pointed | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => at,
    set(pointed) {
      if (pointed?.index === at?.index && pointed?.left === at?.left) return
      at = pointed
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

export function usePointed(): Pointed | null {
  const { listen, get } = useCursor()
  return useSyncExternalStore(listen, get)
}

export function useCursorIndex(): number | null {
  const { listen, get } = useCursor()
  return useSyncExternalStore(listen, () => get()?.index ?? null)
}
