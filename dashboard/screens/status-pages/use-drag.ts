import { type PointerEvent, type RefObject, useEffect, useState } from 'react'
import { dropAt, type ItemBox, type Place } from '../../forms/status-pages/layout-draft.ts'

const EDGE_PX = 70
const SCROLL_PX = 14

type Drag = { key: string; isGroup: boolean; target: Place | null }

export type Dragging = {
  drag: Drag | null
  /** The attributes of the handle of a row. */
  handle: (key: string, isGroup: boolean) => { onPointerDown: (event: PointerEvent) => void }
}

/**
 * Rows that are dragged by a handle, with mouse, pen and finger alike: the browser's own drag events know no finger.
 * Rows are found by `data-item` (outside groups), `data-head` (a group's own line) and `data-component` (within it).
 */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: (key: string, place: Place) => void,
): Dragging {
  const [drag, setDrag] = useState<Drag | null>(null)
  const key = drag?.key
  const isGroup = drag?.isGroup === true

  useEffect(() => {
    if (key === undefined) return
    const listening = new AbortController()
    const options = { signal: listening.signal }
    const end = () => setDrag(null)
    const targetAt = (y: number) => dropAt(boxesIn(list.current), y, isGroup)
    let hasMoved = false
    const move = ({ clientY }: { clientY: number }) => {
      hasMoved = true
      if (clientY < EDGE_PX) scrollBy(0, -SCROLL_PX)
      if (clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
      setDrag({ key, isGroup, target: targetAt(clientY) })
    }
    // Where it is let go of counts, whether or not that was drawn already.
    const drop = ({ clientY }: { clientY: number }) => {
      const target = hasMoved ? targetAt(clientY) : null
      end()
      if (target && target.key !== key) onDrop(key, target)
    }
    addEventListener('pointermove', move, options)
    addEventListener('pointerup', drop, options)
    addEventListener('pointercancel', end, options)
    addEventListener('blur', end, options)
    addEventListener('keydown', (event) => event.key === 'Escape' && end(), options)
    return () => listening.abort()
  }, [key, isGroup, list, onDrop])

  return {
    drag,
    handle: (key, isGroup) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return
        // Neither selects text nor keeps the moves of a finger to the handle.
        event.preventDefault()
        event.currentTarget.releasePointerCapture(event.pointerId)
        setDrag({ key, isGroup, target: null })
      },
    }),
  }
}

function boxesIn(list: HTMLElement | null): ItemBox[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].map((item) => {
    const head = item.querySelector('[data-head]')
    const components = [...item.querySelectorAll<HTMLElement>('[data-component]')]
    return {
      key: item.dataset.item ?? '',
      ...edgesOf(item),
      group: head && {
        head: head.getBoundingClientRect().bottom,
        components: components.map((one) => ({ key: one.dataset.component ?? '', ...edgesOf(one) })),
      },
    }
  })
}

function edgesOf(element: Element): { top: number; bottom: number } {
  const { top, bottom } = element.getBoundingClientRect()
  return { top, bottom }
}
