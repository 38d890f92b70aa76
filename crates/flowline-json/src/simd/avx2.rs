//! The container scan with AVX2, BMI and carry-less multiplication (processors since about 2013), which is four times
//! as fast. The processor is checked at run time.

#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calling a function with target features is unsafe"))]

use super::bracket_scan::ContainerEnd;

/// The end of the object or array that starts at `start`; `None` if the processor lacks the instructions.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn container_end(text: &[u8], start: usize) -> Option<ContainerEnd> {
    use std::sync::LazyLock;

    static IS_SUPPORTED: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("popcnt")
    });
    // SAFETY: the processor supports all target features of the function.
    (*IS_SUPPORTED).then(|| unsafe { x86_64::container_end(text, start) })
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) const fn container_end(_: &[u8], _: usize) -> Option<ContainerEnd> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{
        __m256i, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_set1_epi8, _mm256_cmpeq_epi8,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    };

    use crate::simd::bracket_scan::{BLOCK, ContainerEnd, Match, Scan, block_at};

    /// Sixty-four bytes of text.
    #[derive(Clone, Copy)]
    struct Block([__m256i; 2]);

    /// One bit per byte, set if the byte equals `byte`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn equal(Block([low, high]): Block, byte: u8) -> u64 {
        let byte = _mm256_set1_epi8(byte.cast_signed());
        let [low, high] =
            [low, high].map(|half| u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(half, byte)).cast_unsigned()));
        low | high << 32
    }

    /// Bit n is the parity of bits 0 to n: the carry-less product with all ones.
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn parity(bits: u64) -> u64 {
        let product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(bits.cast_signed()), _mm_set1_epi8(-1), 0);
        _mm_cvtsi128_si64(product).cast_unsigned()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,pclmulqdq,popcnt")]
    pub(super) fn container_end(text: &[u8], start: usize) -> ContainerEnd {
        // Sets the bit that distinguishes `{` from `[`, and `}` from `]`.
        let distinguishing = _mm256_set1_epi8(0x20);
        let mut scan = Scan::new(start);
        loop {
            let mut padded = [b' '; BLOCK];
            let Some(block) = block_at(text, scan.at, &mut padded) else { return ContainerEnd::NotFound };
            let block: [__m256i; 2] = bytemuck::cast(*block);
            let lowered = Block(block.map(|half| _mm256_or_si256(half, distinguishing)));
            let backslashes = equal(Block(block), b'\\');
            let quotes = scan.quotes(equal(Block(block), b'"'), backslashes);
            let found = Match {
                backslashes,
                parity: parity(quotes),
                opens: equal(lowered, b'{'),
                closes: equal(lowered, b'}'),
            };
            if let Some(end) = scan.step(&found) {
                return end;
            }
        }
    }
}
