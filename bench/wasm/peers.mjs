// SPDX-License-Identifier: Apache-2.0
// The pairs of boxes and hulls that `abut-bench --pairs FILE` wrote, asked of WebAssembly builds of abut and of other
// libraries, in Node. Usage: node peers.mjs FILE [abut.wasm] [--csv FILE]. One row per case and library, in the columns of abut-bench; a library that is not there is
// left out with a word. Times are the best of many rounds over all pairs; they include the call from JavaScript.
import { readFileSync, writeFileSync } from 'node:fs'

const ROUNDS = 60
const FAR = 10 // bodies farther apart than this are not in the cases

// case -> [{ a, b: half sizes of a box, or the points of a hull; p: place of B, q: quaternion w x y z, truth, size }]
function readPairs(file) {
    const cases = new Map()
    for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
        const [name, a, b, ...rest] = line.split(',')
        const n = rest.map(Number), numbers = (text) => text.split(' ').map(Number)
        const pair = { a: numbers(a), b: numbers(b), p: n.slice(0, 3), q: n.slice(3, 7), truth: n[7], size: n[8] }
        cases.set(name, [...(cases.get(name) ?? []), pair])
    }
    return cases
}

const xyz = ([x, y, z]) => ({ x, y, z })
const isBox = (numbers) => numbers.length === 3
const points = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3))

// Makes each body once: pairs share theirs.
function shared(makeOne) {
    const known = new Map()
    return (numbers) => {
        const key = numbers.join(' ')
        if (!known.has(key)) known.set(key, makeOne(numbers, known.size))
        return known.get(key)
    }
}

// Each library: make(pairs) gives ask(i), the signed distance of pair i; NaN where it has no answer.
async function rapier() {
    const R = (await import('@dimforge/rapier3d-compat')).default
    await R.init()
    const origin = { x: 0, y: 0, z: 0 }, still = { x: 0, y: 0, z: 0, w: 1 }
    const turn = (q) => ({ w: q[0], x: q[1], y: q[2], z: q[3] })
    // A hull that is only a shape would be built again in every call: hulls are colliders of a world.
    const makeHulls = (pairs) => {
        const world = new R.World(origin)
        const add = (numbers, p, q) => world.createCollider(R.ColliderDesc.convexHull(new Float32Array(numbers))
            .setTranslation(...p).setRotation(turn(q)))
        const bodies = pairs.map((o) => ({ a: add(o.a, [0, 0, 0], [1, 0, 0, 0]), b: add(o.b, o.p, o.q) }))
        return (i) => bodies[i].a.contactCollider(bodies[i].b, FAR)?.distance ?? NaN
    }
    const make = (pairs) => {
        if (!isBox(pairs[0].a)) return makeHulls(pairs)
        const bodies = pairs.map((o) => ({
            a: new R.Cuboid(...o.a), b: new R.Cuboid(...o.b), p: xyz(o.p), q: turn(o.q),
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
    const make = (pairs) => {
        let meshes = ''
        const looks = shared((numbers, k) => {
            if (isBox(numbers)) return `type="box" size="${numbers.join(' ')}"`
            meshes += `<mesh name="m${k}" vertex="${numbers.join(' ')}"/>`
            return `type="mesh" mesh="m${k}"`
        })
        const geom = (numbers, place, turn) =>
            `<geom ${looks(numbers)} pos="${place.join(' ')}" quat="${turn.join(' ')}" contype="0" conaffinity="0"/>`
        const geoms = pairs.map((o) => geom(o.a, [0, 0, 0], [1, 0, 0, 0]) + geom(o.b, o.p, o.q)).join('')
        const model = M.MjModel.from_xml_string(`<mujoco><asset>${meshes}</asset><worldbody>${geoms}</worldbody></mujoco>`)
        const data = new M.MjData(model)
        M.mj_forward(model, data)
        return (i) => M.mj_geomDistance(model, data, 2 * i, 2 * i + 1, FAR, null)
    }
    return { name: `MuJoCo ${M.mj_versionString()}, wasm`, make }
}

// A point turned by a quaternion w, x, y, z.
function turned([w, x, y, z], [a, b, c]) {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]
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
    const makeHull = (numbers) => {
        const def = new J.ConvexHullShapeSettings()
        for (const p of points(numbers)) def.mPoints.push_back(new J.Vec3(...p))
        def.mMaxConvexRadius = 0
        return def.Create().Get()
    }
    const shapeOf = (numbers) => isBox(numbers) ? new J.BoxShape(new J.Vec3(...numbers), 0) : makeHull(numbers)
    const middle = (shape) => {
        const c = shape.GetCenterOfMass()
        return [c.GetX(), c.GetY(), c.GetZ()]
    }
    const stand = (shape) => {
        const out = new J.TransformedShape()
        out.mShape = shape
        out.mShapePositionCOM = new J.RVec3(...middle(shape))
        out.mShapeRotation = still
        out.mShapeScale = new J.Float3(1, 1, 1)
        return out
    }
    const make = (pairs) => {
        const find = shared((numbers) => {
            const shape = shapeOf(numbers)
            shape.AddRef()
            return shape
        })
        const bodies = pairs.map((o) => {
            const a = find(o.a), b = find(o.b), c = turned(o.q, middle(b))
            const at = place(o.p.map((x, k) => x + c[k]), o.q), copy = new J.RMat44()
            for (let k = 0; k < 4; k++) copy.SetColumn4(k, at.GetColumn4(k))
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

// abut itself, as scripts/bench-wasm has built it.
async function abut() {
    if (!process.argv[3]?.endsWith('.wasm')) throw new Error('emscripten is not installed')
    const bytes = readFileSync(process.argv[3])
    const { instance } = await WebAssembly.instantiate(bytes, { env: { emscripten_notify_memory_growth() {} } })
    const x = instance.exports
    x._initialize()
    const put = (numbers) => new Float64Array(x.memory.buffer, x.abut_wasm_numbers(), numbers.length).set(numbers)
    const make = (pairs) => {
        x.abut_wasm_clear()
        pairs.forEach((o) => {
            put(o.a)
            x.abut_wasm_body(0, o.a.length)
            put(o.b)
            x.abut_wasm_body(1, o.b.length)
            put([...o.p, ...o.q])
            x.abut_wasm_pose()
        })
        return (i) => x.abut_wasm_distance(i)
    }
    return { name: 'abut, wasm', make }
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
    lines.push([`"${name}"`, `"${engine}"`, ns, pairs.length, ...row].join(','))
    console.log(name.padEnd(26), engine.padEnd(20), ns.padStart(12), String(pairs.length).padStart(7),
        ...row.map((n) => String(n).padStart(7)))
}

const csv = process.argv.indexOf('--csv') // each row there too, names quoted
const lines = ['case,engine,ns,asked,wrong_1e-6,wrong_1e-3,failed']
const cases = readPairs(process.argv[2])
console.log('in Node, WebAssembly:')
for (const [what, open] of Object.entries({ 'abut as WebAssembly': abut, Rapier: rapier, 'MuJoCo 3': mujoco, Jolt: jolt })) {
    let engine
    try {
        engine = await open()
    } catch (error) {
        console.log(`${what}: not there (${String(error.message ?? error).split('\n')[0]})`)
        continue
    }
    for (const [name, pairs] of cases) report(name, engine.name, pairs, engine.make(pairs))
}
if (csv > 0) writeFileSync(process.argv[csv + 1], lines.join('\n') + '\n')
