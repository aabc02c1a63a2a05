/** The height of the plot in pixels, and the place that is kept for all of the chart until it is there. */
export const PLOT_HEIGHT = 250
export const CHART_PLACE = 'min-h-[21.5rem]'
