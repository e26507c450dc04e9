// Which service the page is of, and which data: a browser has one storage for all services under a host, and for all
// that were ever at an address. What is kept bears the path of the page and the id of the data in its name, and what is
// sent bears that id (api.js), so that nothing of one service is ever shown by another or sent to it.

const written = name => document.querySelector(`meta[name=flats-${name}]`).content

// servicePath is the path of the folder of the page.
export const servicePath = new URL(document.baseURI).pathname.replace(/[^/]*$/, "")

// dataId is the id of the flats. The sample has another one after each start.
export const dataId = written("data")

export const isSample = written("sample") === "true"

// keptAs returns the name under which something is kept. Neither a path nor an id has a space.
export const keptAs = name => `${servicePath} ${dataId} ${name}`
