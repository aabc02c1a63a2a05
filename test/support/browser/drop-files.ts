import type { Locator } from 'playwright-core'

/** Drops text files on a place of the page, as a hand does that drags them out of a folder. */
export async function dropFiles(place: Locator, files: { name: string; content: string }[]): Promise<void> {
  const dataTransfer = await place.page().evaluateHandle(`(() => {
    const moved = new DataTransfer()
    for (const { name, content } of ${JSON.stringify(files)}) moved.items.add(new File([content], name))
    return moved
  })()`)
  await place.dispatchEvent('dragover', { dataTransfer })
  await place.dispatchEvent('drop', { dataTransfer })
}
