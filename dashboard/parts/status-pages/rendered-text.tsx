/** A text in Markdown as the service renders it for the public page: HTML in it is text, and no script gets through. */
export function RenderedText({ html }: { html: string }) {
  return (
    <div
      dir="auto"
      className="break-words [&_a]:underline [&_blockquote]:border-l-2 [&_blockquote]:border-line [&_blockquote]:pl-3 [&_code]:font-mono [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:mb-2 [&_pre]:overflow-x-auto [&_table]:block [&_table]:overflow-x-auto [&_td]:px-2 [&_th]:px-2 [&_ul]:list-disc [&_ul]:pl-6"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer of the public page wrote it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
