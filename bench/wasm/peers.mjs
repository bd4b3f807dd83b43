// SPDX-License-Identifier: Apache-2.0
// The pairs of boxes that `abut-bench --pairs FILE` wrote, asked of WebAssembly builds of other libraries, in Node.
// Usage: node peers.mjs FILE. One row per case and library, in the columns of abut-bench; a library that is not there is
// left out with a word. Times are the best of many rounds over all pairs; they include the call from JavaScript.
import { readFileSync } from 'node:fs'

const ROUNDS = 60
const FAR = 10 // boxes farther apart than this are not in the cases

// case -> [{ a: half sizes, b: half sizes, p: place of B, q: quaternion w x y z, truth, size }]
function readPairs(file) {
    const cases = new Map()
    for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
        const [name, ...rest] = line.split(',')
        const n = rest.map(Number)
        const pair = { a: n.slice(0, 3), b: n.slice(3, 6), p: n.slice(6, 9), q: n.slice(9, 13), truth: n[13], size: n[14] }
        cases.set(name, [...(cases.get(name) ?? []), pair])
    }
    return cases
}

const xyz = ([x, y, z]) => ({ x, y, z })

// Each library: make(pairs) gives ask(i), the signed distance of pair i; NaN where it has no answer.
async function rapier() {
    const R = (await import('@dimforge/rapier3d-compat')).default
    await R.init()
    const origin = { x: 0, y: 0, z: 0 }, still = { x: 0, y: 0, z: 0, w: 1 }
    const make = (pairs) => {
        const bodies = pairs.map((o) => ({
            a: new R.Cuboid(...o.a),
            b: new R.Cuboid(...o.b),
            p: xyz(o.p),
            q: { w: o.q[0], x: o.q[1], y: o.q[2], z: o.q[3] },
        }))
        return (i) => {
            const o = bodies[i]
            return o.a.contactShape(origin, still, o.b, o.p, o.q, FAR)?.distance ?? NaN
        }
    }
    return { name: `Rapier ${R.version()}, wasm`, make }
}

async function mujoco() {
    const M = await (await import('@mujoco/mujoco')).default()
    const geom = (size, place, turn) =>
        `<geom type="box" size="${size.join(' ')}" pos="${place.join(' ')}" quat="${turn.join(' ')}" contype="0" conaffinity="0"/>`
    const make = (pairs) => {
        const geoms = pairs.map((o) => geom(o.a, [0, 0, 0], [1, 0, 0, 0]) + geom(o.b, o.p, o.q)).join('')
        const model = M.MjModel.from_xml_string(`<mujoco><worldbody>${geoms}</worldbody></mujoco>`)
        const data = new M.MjData(model)
        M.mj_forward(model, data)
        return (i) => M.mj_geomDistance(model, data, 2 * i, 2 * i + 1, FAR, null)
    }
    return { name: `MuJoCo ${M.mj_versionString()}, wasm`, make }
}

async function jolt() {
    const J = await (await import('jolt-physics/wasm-compat')).default()
    const layers = new J.BroadPhaseLayerInterfaceTable(1, 1), layerPairs = new J.ObjectLayerPairFilterTable(1)
    const start = new J.JoltSettings() // an empty world: the collision functions are there only after it
    layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0))
    start.mObjectLayerPairFilter = layerPairs
    start.mBroadPhaseLayerInterface = layers
    start.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 1, layerPairs, 1)
    new J.JoltInterface(start)
    const settings = new J.CollideShapeSettings()
    settings.mMaxSeparationDistance = FAR
    settings.mCollisionTolerance = 1e-6
    settings.mPenetrationTolerance = 1e-6
    const filter = new J.ShapeFilter(), zero = new J.RVec3(0, 0, 0), one = new J.Vec3(1, 1, 1)
    const collector = new J.CollideShapeClosestHitCollisionCollector()
    const place = (p, q) => J.RMat44.prototype.sRotationTranslation(new J.Quat(q[1], q[2], q[3], q[0]), new J.RVec3(...p))
    const still = new J.Quat(0, 0, 0, 1)
    const stand = (shape) => {
        const out = new J.TransformedShape()
        shape.AddRef()
        out.mShape = shape
        out.mShapePositionCOM = zero
        out.mShapeRotation = still
        out.mShapeScale = new J.Float3(1, 1, 1)
        return out
    }
    const make = (pairs) => {
        const bodies = pairs.map((o) => {
            const a = new J.BoxShape(new J.Vec3(...o.a), 0), b = new J.BoxShape(new J.Vec3(...o.b), 0)
            const at = place(o.p, o.q), copy = new J.RMat44()
            for (let k = 0; k < 4; k++) copy.SetColumn4(k, at.GetColumn4(k))
            b.AddRef()
            return { a: stand(a), b, at: copy }
        })
        return (i) => {
            const o = bodies[i]
            collector.Reset()
            o.a.CollideShape(o.b, one, o.at, settings, zero, collector, filter)
            return collector.HadHit() ? -collector.mHit.mPenetrationDepth : NaN
        }
    }
    return { name: 'Jolt, wasm', make }
}

function bestTime(ask, count) {
    let best = Infinity
    for (let round = 0; round < ROUNDS; round++) {
        const start = process.hrtime.bigint()
        for (let i = 0; i < count; i++) ask(i)
        best = Math.min(best, Number(process.hrtime.bigint() - start) / count)
    }
    return best
}

function report(name, engine, pairs, ask) {
    const row = [0, 0, 0]
    pairs.forEach((o, i) => {
        const error = Math.abs(ask(i) - o.truth) / o.size
        if (error > 1e-6) row[0]++
        if (error > 1e-3) row[1]++
        if (Number.isNaN(error)) row[2]++
    })
    const ns = bestTime(ask, pairs.length).toFixed(1)
    console.log(name.padEnd(26), engine.padEnd(20), ns.padStart(12), String(pairs.length).padStart(7),
        ...row.map((n) => String(n).padStart(7)))
}

const cases = readPairs(process.argv[2])
console.log('in Node, WebAssembly:')
for (const [what, open] of Object.entries({ Rapier: rapier, 'MuJoCo 3': mujoco, Jolt: jolt })) {
    let engine
    try {
        engine = await open()
    } catch (error) {
        console.log(`${what}: not there (${String(error.message ?? error).split('\n')[0]})`)
        continue
    }
    for (const [name, pairs] of cases) report(name, engine.name, pairs, engine.make(pairs))
}
